package dev.slipway.imports;

import dev.slipway.imports.SingleCredential.Stored;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.sentry.SentryToken;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Brings about the one credential of a cluster: the token into it, the others away. */
@Component
public class ImportCredential {

    private final SentryToken tokens;
    private final SingleCredential single;
    private final SurplusCredentials surplus;

    public ImportCredential(SentryToken tokens, SingleCredential single, SurplusCredentials surplus) {
        this.tokens = tokens;
        this.single = single;
        this.surplus = surplus;
    }

    /**
     * Stores the token, proves the credential, and only then deletes the Secret of an older token and other credentials.
     *
     * @return done with the fact {@link ImportFacts#CREDENTIAL}
     */
    public Outcome ensure(ImportScene scene) {
        AtomicReference<@Nullable ClusterCredential> kept = new AtomicReference<>();
        Outcome token = tokens.ensure(scene.context(), scene.workload(), proven -> {
            Stored stored = single.store(scene, proven);
            stored.kept().ifPresent(kept::set);
            return stored.obstacle();
        });
        ClusterCredential credential = kept.get();
        return token instanceof Outcome.Done && credential != null ? surplus.remove(scene, credential) : token;
    }
}
