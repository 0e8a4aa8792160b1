package dev.slipway.trigger;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.audit.AuditOrigins;
import dev.slipway.kernel.Decision;
import dev.slipway.kernel.Decisions;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.status.ClusterEvents;
import dev.slipway.status.Happening;
import java.util.List;
import java.util.Optional;

/** Does what the annotations of one object ask, answers by Events, and takes off what is done with. */
final class AnnotationAnswers {

    private static final String YES = "true";
    private static final String NO = "false";
    /** What the audit trail calls this way. */
    private static final String VIA = "annotation";

    private final Access access;
    private final AnnotatedRetry retry;
    private final AnnotatedPause pause;
    private final AuditOrigins origins;

    /** The management cluster, as far as annotations need it. */
    record Access(LiveReader reader, KubeWriter writer, ClusterEvents events) {}

    AnnotationAnswers(Access access, AnnotatedRetry retry, AnnotatedPause pause, AuditOrigins origins) {
        this.access = access;
        this.retry = retry;
        this.pause = pause;
        this.origins = origins;
    }

    /** Whether an annotation holds all phases of the object's flows. */
    static boolean holds(KubeObject object) {
        return YES.equals(object.annotations().get(Annotation.PAUSED));
    }

    /**
     * Does what an object asks.
     *
     * @param object as just read, live
     * @param ref how flows name it
     * @return whether its phases are to be held from now on, too
     * @throws Decisions.Conflict if somebody decides in the same moment: look again soon
     */
    boolean answer(ResourceType type, KubeObject object, ClusterRef ref) {
        return origins.during(VIA, () -> act(type, object, ref));
    }

    private boolean act(ResourceType type, KubeObject object, ClusterRef ref) {
        boolean holds = holds(object);
        Optional<Annotation> wanted = Annotation.of(object, Annotation.RETRY);
        if (wanted.isPresent() && holds) {
            // Taken off before that is told: whoever ends the pause on reading it must not get a retry after all.
            takeOff(type, object, wanted.get());
            tell(object, Optional.of(held()));
        } else if (wanted.isPresent()) {
            tell(object, retry.carryOut(ref, object.deleting(), wanted.get()));
            takeOff(type, object, wanted.get());
        }
        Optional<Annotation> paused = Annotation.of(object, Annotation.PAUSED);
        if (holds) {
            return hold(type, object, ref, paused.orElseThrow());
        }
        if (paused.isPresent() && !paused.get().value().equals(NO)) {
            // Neither a pause nor its end.
            explain(object, paused.get());
            return true;
        }
        tell(object, pause.release(ref.uid()));
        return false;
    }

    /** Says that the annotations of a Cluster that was built for a WorkloadCluster count for nothing. */
    void refer(KubeObject cluster) {
        if (Annotation.isOn(cluster)) {
            access.events()
                    .recordOnce(
                            cluster,
                            Happening.warning(
                                    "AnnotationIgnored",
                                    "Slipway's annotations count on the WorkloadCluster " + cluster.namespace() + "/"
                                            + cluster.name() + ", not on its Cluster. What can be done: 1. Annotate"
                                            + " workloadclusters.slipway.dev/" + cluster.name()));
        }
    }

    private boolean hold(ResourceType type, KubeObject object, ClusterRef ref, Annotation annotation) {
        Optional<Decision> later = pause.hold(ref.uid(), annotation);
        if (later.isPresent()) {
            tell(
                    object,
                    Optional.of(Happening.normal(
                            "PauseOver",
                            later.get().sentence() + ", after the annotation " + annotation.name()
                                    + " was set: it is taken off")));
            takeOff(type, object, annotation);
        }
        return true;
    }

    private static Happening held() {
        return AnnotatedRetry.refused("the annotation " + Annotation.PAUSED
                + " holds all phases. What can be done: 1. Take that one off: they start anew");
    }

    private void explain(KubeObject object, Annotation annotation) {
        access.events()
                .recordOnce(
                        object,
                        Happening.warning(
                                "AnnotationInvalid",
                                "The annotation " + annotation.name() + ": \"" + annotation.value()
                                        + "\" changes nothing. What can be done: 1. Set it to \"" + YES
                                        + "\" to pause 2. Set it to \"" + NO + "\", or take it off, to go on"));
    }

    private void tell(KubeObject object, Optional<Happening> happening) {
        happening.ifPresent(told -> access.events().record(object, List.of(told)));
    }

    /** Only as it was read: one that was set to another value meanwhile is another wish. */
    private void takeOff(ResourceType type, KubeObject object, Annotation annotation) {
        Optional<KubeObject> now = access.reader()
                .get(type, object.namespace(), object.name())
                .filter(live -> live.uid().equals(object.uid()))
                .filter(live -> annotation.value().equals(live.annotations().get(annotation.name())));
        if (now.isPresent()) {
            ObjectNode patch = JsonNodeFactory.instance.objectNode();
            ObjectNode metadata = patch.putObject("metadata")
                    .put("uid", object.uid())
                    .put("resourceVersion", now.get().resourceVersion());
            metadata.putObject("annotations").putNull(annotation.name());
            access.writer().mergePatch(type, object.namespace(), object.name(), patch);
        }
    }
}
