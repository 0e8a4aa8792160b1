package dev.slipway.pki;

import java.time.Instant;
import java.util.Optional;

/** Whether a kubeconfig secret can be used, and for how long. */
public sealed interface KubeconfigCheck {

    /**
     * It can be used.
     *
     * @param expires the end of the client certificate; empty when tokens or plugins hide it
     */
    record Valid(Optional<Instant> expires) implements KubeconfigCheck {}

    /**
     * It can be used, but more than half of its client certificate's life has passed.
     *
     * @param expires the end of the client certificate
     */
    record Ageing(Instant expires) implements KubeconfigCheck {}

    /** It cannot be used any more; whoever made it can make it anew with the same authority. */
    record Outdated(Problem problem) implements KubeconfigCheck {}

    /** It cannot be used. */
    record Invalid(Problem problem) implements KubeconfigCheck {}
}
