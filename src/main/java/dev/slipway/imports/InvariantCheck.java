package dev.slipway.imports;

import dev.slipway.phase.Outcome;
import dev.slipway.platform.ImportInvariants;
import dev.slipway.platform.ImportInvariants.Broken;
import dev.slipway.platform.ImportInvariants.Facts;
import dev.slipway.sentry.SentryAccount;
import java.util.List;
import org.springframework.stereotype.Component;

/** Reads live whether the four invariants of an imported cluster hold. */
@Component
public class InvariantCheck {

    private final SentryAccount sentry;

    public InvariantCheck(SentryAccount sentry) {
        this.sentry = sentry;
    }

    /** Those that do not hold, in the order of the flow. */
    public List<Broken> broken(ImportScene scene) {
        return ImportInvariants.broken(new Facts(
                scene.target().cluster().object(),
                scene.platform().cluster(scene.name()),
                scene.platform().credentialsOf(scene.name()),
                sentry.read(scene.workload())));
    }

    /** Sends the flow to the phase that repairs it. */
    public static Outcome back(Broken broken) {
        String reason =
                switch (broken.invariant()) {
                    case SENTRY -> "SentryMissing";
                    case SINGLE_CREDENTIAL -> "CredentialNotSingle";
                    case PLATFORM_CLUSTER -> "PlatformClusterMissing";
                    case IMPORTED_MARK -> "ImportedLabelMissing";
                };
        return Outcome.back(broken.invariant().phase(), reason, broken.message());
    }
}
