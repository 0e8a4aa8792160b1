package dev.slipway.diagnosis;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;

/**
 * One part of a diagnosis. A bean of this type is a step of every diagnosis; nothing else is needed to add one.
 *
 * <p>Steps run at the same time and know nothing of each other. They only read, live, and suppose nothing to be there.
 */
interface Step {

    /** Where it stands in the report; unique. */
    int number();

    /** What people read, for example {@code Machines and nodes}. */
    String title();

    /**
     * Looks, and says what it found.
     *
     * <p>Runs on a thread of its own that is interrupted at the step's deadline. Looks in {@link Findings#look}, so
     * that one failure does not hide the rest.
     *
     * @param cluster which cluster; its UID may be empty
     * @throws Failure what no look caught; told as unknown
     */
    void look(ClusterRef cluster, Findings findings);
}
