package dev.slipway.kernel;

import dev.slipway.audit.AuditAction;
import dev.slipway.audit.AuditBook;
import dev.slipway.audit.AuditEntry;
import dev.slipway.audit.AuditEntry.Subject;
import dev.slipway.kernel.FlowStore.FlowRow;
import dev.slipway.phase.ClusterRef;
import org.camunda.bpm.engine.impl.context.Context;
import org.camunda.bpm.engine.impl.interceptor.CommandContext;
import org.jspecify.annotations.Nullable;

/** Notes who starts, decides and ends, in the transaction that does it. */
final class KernelAudit {

    private static final String NOBODY = "slipway";

    private final AuditBook book;

    KernelAudit(AuditBook book) {
        this.book = book;
    }

    void started(String kind, ClusterRef cluster, String by, String flowId) {
        book.note(AuditEntry.of(FlowKinds.deletes(kind) ? AuditAction.DELETE : AuditAction.START, by, kind)
                .about(subject(kind, cluster).flow(flowId)));
    }

    /** It is recorded; it may hold a moment later. */
    void decided(Decision decision, String kind) {
        book.note(entry(decision, kind).ended(AuditEntry.RECORDED, null));
    }

    /** What became of a decision is worth a line of its own only if it does not hold. */
    void settled(Decision decision, String kind, Decision.State state, String text) {
        if (state == Decision.State.REFUSED || state == Decision.State.OVERTAKEN) {
            book.note(entry(decision, kind).ended(state.name(), text));
        }
    }

    /** A flow that did not come to its end. */
    void ended(FlowRow flow) {
        if (flow.state() == FlowState.ABORTED) {
            book.note(AuditEntry.of(AuditAction.END, user(), flow.kind())
                    .about(subject(flow.kind(), flow.cluster()).flow(flow.id()))
                    .ended(AuditEntry.OK, flow.result()));
        }
    }

    private static AuditEntry entry(Decision decision, String kind) {
        return AuditEntry.of(
                        AuditAction.DECIDE,
                        decision.by(),
                        decision.wish().choice().name())
                .about(subject(kind, decision.cluster()).flow(decision.flowId()).phase(decision.phase()))
                .because(decision.wish().reason());
    }

    private static Subject subject(String kind, ClusterRef cluster) {
        return Subject.of(FlowKinds.isOfWorkItems(kind) ? "WorkItem" : "Cluster", cluster.namespace(), cluster.name());
    }

    /** Whom the engine acts for: somebody in Cockpit, for example. */
    private static String user() {
        @Nullable CommandContext command = Context.getCommandContext();
        @Nullable String user = command == null ? null : command.getAuthenticatedUserId();
        return user == null ? NOBODY : user;
    }
}
