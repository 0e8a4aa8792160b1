package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;

/** Looks at everything around a cluster, live, for a phase that needs an operator. */
@FunctionalInterface
public interface DiagnosisSource {

    /**
     * Looks and writes down what it saw, for the operator's task.
     *
     * <p>Called outside of transactions; may take as long as a run of a phase. What cannot be read is said in the text.
     *
     * @return plain text of at most 3000 characters, without secrets
     */
    String diagnose(ClusterRef cluster);
}
