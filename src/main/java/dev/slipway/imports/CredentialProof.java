package dev.slipway.imports;

import dev.slipway.kubernetes.WorkloadClusters.Bearer;
import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.sentry.SentrySettings;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Asks a workload cluster whether it accepts a credential, with the credential's own token and CA. */
@Component
public class CredentialProof {

    private final SentrySettings settings;

    public CredentialProof(SentrySettings settings) {
        this.settings = settings;
    }

    /**
     * Tries it.
     *
     * @return ACCEPTED if the server is the one that the credential trusts, knows its token and allows what the platform
     *     needs; REFUSED if not, or if the credential has no CA or no token
     * @throws Failure TRANSIENT or CONTENTION if the server did not answer: then nobody knows
     */
    public Proof of(Workload workload, ClusterCredential credential) {
        Optional<String> authority = credential.authority();
        Optional<Token> token = credential.token().flatMap(Token::of);
        if (authority.isEmpty() || token.isEmpty()) {
            return Proof.REFUSED;
        }
        try {
            Optional<Bearer> bearer = workload.review(token.get(), authority.get(), settings.needed());
            return bearer.filter(known -> known.denied().isEmpty()).isPresent() ? Proof.ACCEPTED : Proof.REFUSED;
        } catch (Failure e) {
            if (e.errorClass() == ErrorClass.TRANSIENT || e.errorClass() == ErrorClass.CONTENTION) {
                throw e;
            }
            return Proof.REFUSED;
        }
    }
}
