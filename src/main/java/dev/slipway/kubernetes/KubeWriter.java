package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.phase.Failure;
import java.util.Optional;

/**
 * Writes that cannot undo what somebody else wrote: apply, targeted patches, deletes with a UID precondition.
 *
 * <p>409 is answered by reading again and re-applying, at most 5 times with jitter, then {@link Failure} CONTENTION.
 */
public interface KubeWriter {

    /** The field manager of everything that Slipway applies. */
    String FIELD_MANAGER = "slipway";

    /**
     * Creates an object.
     *
     * @return the object as stored; empty if one of that name exists: read it live and adopt it
     */
    Optional<KubeObject> create(ResourceType type, KubeObject object);

    /** Server-side applies the given fields, forcing ownership of just these. */
    KubeObject apply(ResourceType type, KubeObject object);

    /** Server-side applies the object's {@code status} through the status sub-resource. */
    KubeObject applyStatus(ResourceType type, KubeObject object);

    /** Validates an apply on the server without storing anything. */
    KubeObject dryRunApply(ResourceType type, KubeObject object);

    /** JSON merge patch of the given fields. */
    KubeObject mergePatch(ResourceType type, String namespace, String name, ObjectNode patch);

    /** JSON merge patch of the given fields through the status sub-resource; the server ignores all but the status. */
    KubeObject mergePatchStatus(ResourceType type, String namespace, String name, ObjectNode patch);

    /**
     * Empties {@code spec.finalizers} through the sub-resource {@code finalize}, which takes whole objects only; in just
     * that version of the object.
     */
    void emptySpecFinalizers(ResourceType type, KubeObject object);

    /**
     * Adds one finalizer if it is absent; touches no other.
     *
     * @param object what was read; one of its name with another UID gets none
     * @throws dev.slipway.phase.Failure IDENTITY {@code UidChanged}
     */
    KubeObject addFinalizer(ResourceType type, KubeObject object, String finalizer);

    /** Removes one finalizer if it is there; touches no other. An absent object is fine. */
    void removeFinalizer(ResourceType type, String namespace, String name, String finalizer);

    /** Deletes the object if it still has that UID. An absent object, or another UID, is fine. */
    void delete(ResourceType type, String namespace, String name, String uid);
}
