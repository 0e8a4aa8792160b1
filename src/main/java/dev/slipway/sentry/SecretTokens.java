package dev.slipway.sentry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Bearer;
import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.phase.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tokens without expiry, in a Secret that the cluster's token controller fills. */
final class SecretTokens implements TokenSource {

    private static final String TYPE = "kubernetes.io/service-account-token";
    private static final String ACCOUNT = "kubernetes.io/service-account.name";
    private static final String ACCOUNT_UID = "kubernetes.io/service-account.uid";
    private static final String INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";

    /** API servers learn of a new token a moment after it is in its Secret. */
    private static final Duration NEW = Duration.ofSeconds(30);

    private final SentrySettings settings;

    SecretTokens(SentrySettings settings) {
        this.settings = settings;
    }

    @Override
    public Found look(Scene scene) {
        List<String> free = new ArrayList<>();
        List<KubeObject> useless = new ArrayList<>();
        Optional<Found> coming = Optional.empty();
        for (String name : TokenSecrets.filledNames(settings)) {
            Optional<KubeObject> secret = TokenSecrets.read(scene.workload(), settings, name);
            Optional<Found> seen = secret.flatMap(stored -> inspect(scene, stored));
            if (secret.isEmpty()) {
                free.add(name);
            } else if (seen.isEmpty()) {
                useless.add(secret.get());
            } else if (seen.get() instanceof Proven proven) {
                return proven;
            } else {
                coming = seen;
            }
        }
        return coming.orElseGet(() -> new Missing(makeRoom(scene, free, useless)));
    }

    /** Proves the token in a Secret; empty if no token of this Secret will ever work. */
    private Optional<Found> inspect(Scene scene, KubeObject secret) {
        if (!meantFor(secret, scene.account())) {
            return Optional.empty();
        }
        if (secret.text("data", TokenSecrets.KEY).isEmpty()) {
            return Optional.of(new Missing(unfilled(secret.name())));
        }
        Optional<Token> token = TokenSecrets.token(secret);
        if (token.isEmpty()) {
            return Optional.empty();
        }
        Optional<Bearer> bearer = scene.review(token.get(), settings);
        if (bearer.isPresent()) {
            return Optional.of(new Proven(
                    token.get(), secret.name(), Optional.empty(), bearer.get().denied()));
        }
        return isNew(secret, scene.context().now())
                ? Optional.of(new Missing(notAccepted(secret.name())))
                : Optional.empty();
    }

    /** Whether the controller fills it, or filled it, for this very account, and nobody has declared it void. */
    private boolean meantFor(KubeObject secret, KubeObject account) {
        String uid = secret.annotations().getOrDefault(ACCOUNT_UID, account.uid());
        return secret.text("type").orElse("").equals(TYPE)
                && settings.serviceAccount().equals(secret.annotations().get(ACCOUNT))
                && uid.equals(account.uid())
                && !secret.labels().containsKey(INVALID_SINCE)
                && !secret.deleting();
    }

    private Outcome makeRoom(Scene scene, List<String> free, List<KubeObject> useless) {
        if (!free.isEmpty()) {
            String name = free.get(0);
            scene.workload()
                    .writer()
                    .create(
                            ResourceType.SECRETS,
                            Ownership.mark(wanted(name), scene.context().cluster()));
            return unfilled(name);
        }
        // None of them works, so one of them is no loss.
        Optional<KubeObject> ours = useless.stream().filter(Ownership::isOurs).findFirst();
        if (ours.isEmpty()) {
            return TokenSecrets.foreign(settings, useless.get(0).name());
        }
        String name = ours.get().name();
        scene.workload()
                .writer()
                .delete(
                        ResourceType.SECRETS,
                        settings.namespace(),
                        name,
                        ours.get().uid());
        return Outcome.waiting(
                "WaitingForTokenSecretGone", "the Secret " + display(name) + " held a void token and was deleted");
    }

    private KubeObject wanted(String name) {
        KubeObject secret = KubeObject.named(ResourceType.SECRETS, settings.namespace(), name);
        ObjectNode json = secret.json();
        json.put("type", TYPE);
        json.withObject("metadata").withObject("annotations").put(ACCOUNT, settings.serviceAccount());
        return secret;
    }

    private static boolean isNew(KubeObject secret, Instant now) {
        // Either way: the two clocks may differ.
        return secret.created()
                .map(created -> Duration.between(created, now).abs().compareTo(NEW) < 0)
                .orElse(false);
    }

    private Outcome unfilled(String name) {
        return Outcome.waiting(
                "WaitingForToken",
                "the Secret " + display(name) + " has no token yet; the kube-controller-manager of the workload cluster"
                        + " (serviceaccount-token-controller) puts it there. If none runs: slipway.sentry.token=request");
    }

    private Outcome notAccepted(String name) {
        return Outcome.waiting(
                "WaitingForTokenAccepted",
                "the API server does not accept the new token in the Secret " + display(name) + " yet");
    }

    private String display(String name) {
        return settings.namespace() + "/" + name;
    }
}
