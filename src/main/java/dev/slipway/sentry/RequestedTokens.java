package dev.slipway.sentry;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Bearer;
import dev.slipway.kubernetes.WorkloadClusters.IssuedToken;
import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.phase.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/** Tokens with an expiry, requested from the API server and bound to the Secret that keeps them. */
final class RequestedTokens implements TokenSource {

    private final SentrySettings settings;
    private final String name;

    RequestedTokens(SentrySettings settings) {
        this.settings = settings;
        this.name = TokenSecrets.requestedName(settings);
    }

    @Override
    public Found look(Scene scene) {
        Optional<KubeObject> found = TokenSecrets.read(scene.workload(), settings, name);
        if (found.isEmpty()) {
            KubeObject wanted = KubeObject.named(ResourceType.SECRETS, settings.namespace(), name);
            scene.workload()
                    .writer()
                    .create(
                            ResourceType.SECRETS,
                            Ownership.mark(wanted, scene.context().cluster()));
            found = TokenSecrets.read(scene.workload(), settings, name);
        }
        if (found.isEmpty() || found.get().deleting()) {
            return new Missing(
                    Outcome.waiting("WaitingForTokenSecret", "the Secret " + display() + " is gone or being deleted"));
        }
        if (!Ownership.isOurs(found.get())) {
            return new Missing(TokenSecrets.foreign(settings, name));
        }
        KubeObject secret = found.get();
        return kept(scene, secret).orElseGet(() -> renew(scene, secret));
    }

    /** The token that is there, if it is accepted and has more than a fifth of its life before it. */
    private Optional<Found> kept(Scene scene, KubeObject secret) {
        Optional<TokenLife> life = TokenLife.of(secret);
        Optional<Token> token = TokenSecrets.token(secret);
        if (token.isEmpty()
                || life.isEmpty()
                || life.get().nearsItsEnd(scene.context().now())) {
            return Optional.empty();
        }
        return scene.review(token.get(), settings)
                .map(bearer ->
                        new Proven(token.get(), name, Optional.of(life.get().expires()), bearer.denied()));
    }

    private Found renew(Scene scene, KubeObject secret) {
        IssuedToken issued = scene.workload().requestToken(settings.serviceAccount(), settings.tokenLife(), secret);
        Optional<Bearer> bearer = scene.review(issued.token(), settings);
        if (bearer.isEmpty()) {
            // What the Secret holds stays: it may work still.
            return new Missing(Outcome.waiting(
                    "WaitingForTokenAccepted",
                    "the API server does not accept the token yet that it issued for the " + settings.display()));
        }
        scene.workload()
                .writer()
                .mergePatch(
                        ResourceType.SECRETS,
                        settings.namespace(),
                        name,
                        patch(secret, issued, scene.context().now()));
        return new Proven(
                issued.token(),
                name,
                Optional.of(issued.expires()),
                bearer.get().denied());
    }

    private static ObjectNode patch(KubeObject secret, IssuedToken issued, Instant now) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = patch.putObject("metadata");
        // Bound to this very Secret: one of the same name that somebody made meanwhile would hold a void token.
        metadata.put("uid", secret.uid());
        metadata.set("annotations", new TokenLife(now, issued.expires()).annotations());
        byte[] token = issued.token().value().getBytes(StandardCharsets.UTF_8);
        patch.putObject("data").put(TokenSecrets.KEY, Base64.getEncoder().encodeToString(token));
        return patch;
    }

    private String display() {
        return settings.namespace() + "/" + name;
    }
}
