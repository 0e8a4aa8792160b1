package dev.slipway.pki;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.springframework.stereotype.Component;

/**
 * Generates key material, as many pairs at a time as there are processors, in the order of asking.
 *
 * <p>An RSA pair costs a processor up to seconds. Unbounded, a fleet that starts at once would make all of its key
 * pairs at the same time, none of them before its run's deadline.
 */
@Component
public final class KeyMaker {

    private final Semaphore processors = new Semaphore(Runtime.getRuntime().availableProcessors(), true);

    /**
     * Generates the pair for a purpose.
     *
     * @param now what the certificate's validity starts from
     * @throws Failure CONTENTION {@code KeyGenerationBusy} if the run's time was over before its turn came
     */
    public PemPair generate(CertificatePurpose purpose, CertificateSettings settings, Instant now) {
        try {
            processors.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(
                    ErrorClass.CONTENTION,
                    "KeyGenerationBusy",
                    "The key pair for " + purpose + " was not generated in time: others were before it",
                    List.of(),
                    null,
                    e);
        }
        try {
            return KeyMaterial.generate(purpose, settings, now);
        } finally {
            processors.release();
        }
    }
}
