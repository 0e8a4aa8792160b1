package dev.slipway.sentry;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Looks at the account and its token, live, without changing anything. */
@Component
public class SentryInspection {

    private final SentrySettings settings;

    public SentryInspection(SentrySettings settings) {
        this.settings = settings;
    }

    /** The ServiceAccount; empty if it is absent. */
    public Optional<KubeObject> account(Workload workload) {
        return SentryAccount.read(workload, settings);
    }

    /**
     * What is wrong with the token that the platform uses.
     *
     * @param token the token
     * @return empty if the server accepts it as the account's and more than a fifth of its life is left
     */
    public Optional<String> tokenProblem(Workload workload, Token token, Instant now) {
        boolean accepted = workload.review(token, List.of())
                .filter(bearer -> bearer.user().equals(settings.user()))
                .isPresent();
        if (!accepted) {
            return Optional.of(
                    "the workload cluster does not accept the credential's token as that of the " + settings.display());
        }
        return settings.token() == SentrySettings.TokenKind.REQUEST ? ending(workload, now) : Optional.empty();
    }

    private Optional<String> ending(Workload workload, Instant now) {
        return TokenSecrets.read(workload, settings, TokenSecrets.requestedName(settings))
                .flatMap(TokenLife::of)
                .filter(life -> life.nearsItsEnd(now))
                .map(life -> "the token of the " + settings.display() + " ends at " + life.expires()
                        + ": less than a fifth of its life is left");
    }
}
