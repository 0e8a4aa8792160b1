package dev.slipway.kubernetes;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells at start what is missing instead of a stack trace. */
final class NoKubernetesAccessAnalyzer extends AbstractFailureAnalyzer<NoKubernetesAccessException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoKubernetesAccessException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Set slipway.kubernetes.kubeconfig (or the environment variable KUBECONFIG) to a kubeconfig file, "
                        + "or run Slipway in a pod with a ServiceAccount token.",
                cause);
    }
}
