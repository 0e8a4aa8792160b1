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
    private static final String GROUP = ResourceType.WORKLOAD_CLUSTERS.group();

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
            find(receipt.head().cluster(), subject)
                    .ifPresentOrElse(
                            object -> events.recordOnce(object, happening(receipt)),
                            () -> LOG.info("No Event of the receipt: its object is gone"));
        } catch (RuntimeException e) {
            LOG.warn("No Event of the receipt: {}", e.getMessage());
        }
    }

    private Optional<KubeObject> find(ClusterRef ref, Subject subject) {
        return switch (subject) {
            case WORKLOAD_CLUSTER -> read(Optional.of(ResourceType.WORKLOAD_CLUSTERS), ref);
            case WORK_ITEM -> read(reader.find(GROUP, "WorkItem"), ref);
            case CLUSTER ->
                api.cluster(ref.namespace(), ref.name())
                        .filter(live -> ImportTarget.refOf(live.object()).uid().equals(ref.uid())
                                || live.object().uid().equals(ref.uid()))
                        .map(live -> live.object());
        };
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
