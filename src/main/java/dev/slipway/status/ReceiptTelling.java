package dev.slipway.status;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.receipt.Fate;
import dev.slipway.receipt.Receipt;
import dev.slipway.receipt.ReceiptEvents;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells by an Event what a deletion did, with the receipt's summary and id. */
final class ReceiptTelling implements ReceiptEvents {

    private static final Logger LOG = LoggerFactory.getLogger(ReceiptTelling.class);

    private final LiveReader reader;
    private final ClusterApi api;
    private final ClusterEvents events;

    ReceiptTelling(LiveReader reader, ClusterApi api, ClusterEvents events) {
        this.reader = reader;
        this.api = api;
        this.events = events;
    }

    @Override
    public void announce(Receipt receipt, Subject subject) {
        try {
            ClusterRef ref = receipt.head().cluster();
            find(ref, subject)
                    .or(() -> reference(ref, subject))
                    .ifPresent(object -> events.recordOnce(object, happening(receipt)));
        } catch (RuntimeException e) {
            LOG.warn("No Event of the receipt: {}", e.getMessage());
        }
    }

    private Optional<KubeObject> find(ClusterRef ref, Subject subject) {
        return switch (subject) {
            case WORKLOAD_CLUSTER -> read(Optional.of(ResourceType.WORKLOAD_CLUSTERS), ref);
            case WORK_ITEM -> read(Optional.of(ResourceType.WORK_ITEMS), ref);
            case CLUSTER ->
                api.cluster(ref.namespace(), ref.name())
                        .filter(live -> ImportTarget.refOf(live.object()).uid().equals(ref.uid())
                                || live.object().uid().equals(ref.uid()))
                        .map(live -> live.object());
        };
    }

    /** What stands for an object that is gone: an Event may be about one, and tells it by its UID from its successor. */
    private Optional<KubeObject> reference(ClusterRef ref, Subject subject) {
        Optional<ResourceType> type =
                switch (subject) {
                    case WORKLOAD_CLUSTER -> Optional.of(ResourceType.WORKLOAD_CLUSTERS);
                    case WORK_ITEM -> Optional.of(ResourceType.WORK_ITEMS);
                    case CLUSTER -> reader.find(ClusterApi.GROUP, "Cluster");
                };
        return type.map(found -> {
            KubeObject object = KubeObject.named(found, ref.namespace(), ref.name());
            object.json().withObject("/metadata").put("uid", ref.uid());
            return object;
        });
    }

    private Optional<KubeObject> read(Optional<ResourceType> type, ClusterRef ref) {
        return type.flatMap(found -> reader.get(found, ref.namespace(), ref.name()))
                .filter(object -> object.uid().equals(ref.uid()));
    }

    private static Happening happening(Receipt receipt) {
        String text = receipt.summary() + ". Receipt: GET /api/v1/receipts/"
                + receipt.head().flowId();
        boolean left = receipt.counts().containsKey(Fate.LEFT);
        return new Happening(left, reason(receipt), text);
    }

    private static String reason(Receipt receipt) {
        String mode = receipt.head().mode() == null ? "" : receipt.head().mode();
        return switch (mode) {
            case "Detach" -> "Detached";
            case "Forget" -> "Forgotten";
            default -> "Deleted";
        };
    }
}
