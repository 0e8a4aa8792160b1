package dev.slipway.sentry;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The Secrets that may hold the account's token: their names, and what is in them. */
final class TokenSecrets {

    static final String KEY = "token";

    private TokenSecrets() {}

    /** Names for tokens of the token controller: a new one is proven beside the old one. */
    static List<String> filledNames(SentrySettings settings) {
        return List.of(settings.tokenSecret(), settings.tokenSecret() + "-2");
    }

    /** The name for a requested token, which is replaced within its Secret. */
    static String requestedName(SentrySettings settings) {
        return settings.tokenSecret() + "-requested";
    }

    /** All of them. */
    static List<String> names(SentrySettings settings) {
        List<String> filled = filledNames(settings);
        return List.of(filled.get(0), filled.get(1), requestedName(settings));
    }

    static Optional<KubeObject> read(Workload workload, SentrySettings settings, String name) {
        return workload.reader().get(ResourceType.SECRETS, settings.namespace(), name);
    }

    /** The token in a Secret; empty if there is none, or nothing that could be one. */
    static Optional<Token> token(KubeObject secret) {
        try {
            return secret.text("data", KEY)
                    .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8).strip())
                    .flatMap(Token::of);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** A Secret of that name that Slipway must not touch is in the way. */
    static Outcome foreign(SentrySettings settings, String name) {
        return Outcome.blocked(
                ErrorClass.IDENTITY,
                "TokenSecretForeign",
                "the Secret " + settings.namespace() + "/" + name + " of the workload cluster was not made by Slipway"
                        + " and holds no token of the " + settings.display(),
                "If nobody needs it: kubectl -n " + settings.namespace() + " delete secret " + name,
                "Or set slipway.sentry.token-secret to another name.");
    }
}
