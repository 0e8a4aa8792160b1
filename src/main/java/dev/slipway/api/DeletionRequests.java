package dev.slipway.api;

import dev.slipway.api.ClusterResolver.Resolved;
import dev.slipway.deletion.DeletionFacts;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.phase.ClusterRef;
import dev.slipway.receipt.Head;
import dev.slipway.receipt.ReceiptBook;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** Starts deletions for people: confirmed by the typed name, recorded with who and why. */
@Component
class DeletionRequests {

    private static final int LONGEST_REASON = 1000;
    private static final List<String> MODES = List.of("Full", "Detach", "Forget");
    /** The platform's name for the management cluster itself. */
    private static final String MANAGEMENT_CLUSTER = "global";

    private final FlowStarts starts;
    private final Flows flows;
    private final ReceiptBook receipts;
    private final Clock clock;

    DeletionRequests(FlowStarts starts, Flows flows, ReceiptBook receipts, Clock clock) {
        this.starts = starts;
        this.flows = flows;
        this.receipts = receipts;
        this.clock = clock;
    }

    /**
     * Starts the flow that deletes.
     *
     * @throws ApiProblem 400 without the right confirmation; 409 if one is active; 422 if it may not be deleted
     */
    FlowView start(StartFlow body, Resolved cluster, String user) {
        ClusterRef ref = cluster.ref();
        check(body, ref);
        boolean dryRun = Boolean.TRUE.equals(body.dryRun());
        if (dryRun) {
            refuseWhileSomethingBuilds(ref);
        }
        Map<String, String> facts = new HashMap<>();
        facts.put(DeletionFacts.BY, user);
        facts.put(DeletionFacts.SUBJECT, cluster.origin().text());
        String mode = body.mode();
        if (mode != null) {
            facts.put(DeletionFacts.MODE, mode);
        }
        if (dryRun) {
            facts.put(DeletionFacts.DRY_RUN, "true");
        }
        FlowView flow = starts.start(Flows.DELETE, cluster, user, facts);
        if (!dryRun) {
            record(flow, mode, body.reason());
        }
        return flow;
    }

    /** The receipt begins here for the sake of the reason; the flow itself adds to it. */
    private void record(FlowView flow, @Nullable String mode, @Nullable String reason) {
        if (reason != null && !reason.isBlank()) {
            receipts.open(new Head(flow.id(), flow.kind(), flow.cluster(), mode, flow.startedBy(), clock.instant()));
            receipts.because(flow.id(), reason.strip());
        }
    }

    private static void check(StartFlow body, ClusterRef ref) {
        if (ref.name().equals(MANAGEMENT_CLUSTER)) {
            throw new ApiProblem(
                            HttpStatus.UNPROCESSABLE_ENTITY,
                            "ManagementCluster",
                            "The cluster " + MANAGEMENT_CLUSTER + " is the management cluster: it is never deleted")
                    .object(ref.display())
                    .remedy("Name the workload cluster that is meant");
        }
        if (body.reset() != null) {
            throw invalid("reset", "The flow delete cannot be reset", "Leave reset out");
        }
        String mode = body.mode();
        if (mode != null && !MODES.contains(mode)) {
            throw invalid("mode", "There is no mode " + mode, "Use one of " + String.join(", ", MODES));
        }
        if (body.reason() != null && body.reason().length() > LONGEST_REASON) {
            throw invalid("reason", "The field reason is too long", "Use at most " + LONGEST_REASON + " characters");
        }
        if (!ref.name().equals(body.confirm())) {
            String what = body.confirm() == null
                    ? "The field confirm is missing"
                    : "The confirmation \"" + body.confirm() + "\" is not the cluster's name";
            throw new ApiProblem(HttpStatus.BAD_REQUEST, "NotConfirmed", what)
                    .object(ref.display())
                    .field("confirm")
                    .remedy("Type the cluster's name if you mean it: " + example(ref));
        }
    }

    /** A dry run must not end what builds, and the start of a deletion does. */
    private void refuseWhileSomethingBuilds(ClusterRef ref) {
        flows.active(ref.uid()).stream().findFirst().ifPresent(flow -> {
            throw new ApiProblem(
                            HttpStatus.CONFLICT,
                            "FlowActive",
                            "The flow " + flow.kind() + " of " + ref.display() + " is active: a dry run would end it")
                    .object(ref.display())
                    .with("flow", FlowsController.uri(flow.id()).toString())
                    .remedy("See GET /api/v1/clusters/" + ref.display() + "/deletion for the preview");
        });
    }

    /**
     * Checks a request for another flow.
     *
     * @throws ApiProblem 400 if it has what only a deletion knows
     */
    static void refuseFieldsOfDeletions(StartFlow body) {
        Map<String, Object> given = new HashMap<>();
        given.put("mode", body.mode());
        given.put("confirm", body.confirm());
        given.put("reason", body.reason());
        given.put("dryRun", body.dryRun());
        given.forEach((field, value) -> {
            if (value != null) {
                throw invalid(field, "Only the flow delete knows the field " + field, "Leave it out");
            }
        });
    }

    /** An aborted deletion is not started again by a retry: it needs its confirmation. */
    static ApiProblem notByRetry(Resolved cluster) {
        return new ApiProblem(
                        HttpStatus.CONFLICT,
                        "NotConfirmed",
                        "The deletion of " + cluster.ref().display() + " was aborted: starting it again needs the name")
                .object(cluster.ref().display())
                .remedy("POST /api/v1/clusters/" + cluster.ref().display() + "/flows " + example(cluster.ref()));
    }

    private static String example(ClusterRef ref) {
        return "{\"flow\": \"delete\", \"confirm\": \"" + ref.name() + "\"}";
    }

    private static ApiProblem invalid(String field, String what, String remedy) {
        return new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", what)
                .field(field)
                .remedy(remedy);
    }
}
