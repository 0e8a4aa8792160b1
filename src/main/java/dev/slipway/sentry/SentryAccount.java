package dev.slipway.sentry;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Makes sure that the account is there and has its rights, in a namespace that is active.
 *
 * <p>The ServiceAccount is created or adopted as it is and never written again: whoever rewrites its list of secrets
 * makes a controller create new ones.
 */
@Component
public class SentryAccount {

    private final SentrySettings settings;
    private final WorkloadNamespace namespaces;
    private final AccountRights rights;

    public SentryAccount(SentrySettings settings, WorkloadNamespace namespaces) {
        this.settings = settings;
        this.namespaces = namespaces;
        this.rights = new AccountRights(settings);
    }

    /**
     * Looks at namespace, ServiceAccount, ClusterRole and binding, in that order, and makes what is absent.
     *
     * @return done with the facts of {@link WorkloadNamespace}; blocked where only a person may change what is there
     */
    public Outcome ensure(PhaseContext context, Workload workload) {
        Outcome namespace = namespaces.ensure(context, workload);
        if (!(namespace instanceof Outcome.Done active)) {
            return namespace;
        }
        Optional<Outcome> obstacle = account(context, workload).or(() -> rights.ensure(context.cluster(), workload));
        return obstacle.orElseGet(() -> new Outcome.Done(
                "the " + settings.display() + " is bound to the ClusterRole " + settings.roleName(), active.facts()));
    }

    /** The account as it is now, live. */
    public Optional<KubeObject> read(Workload workload) {
        return read(workload, settings);
    }

    static Optional<KubeObject> read(Workload workload, SentrySettings settings) {
        return workload.reader().get(ResourceType.SERVICE_ACCOUNTS, settings.namespace(), settings.serviceAccount());
    }

    private Optional<Outcome> account(PhaseContext context, Workload workload) {
        Optional<KubeObject> found = read(workload);
        if (found.isEmpty()) {
            KubeObject wanted =
                    KubeObject.named(ResourceType.SERVICE_ACCOUNTS, settings.namespace(), settings.serviceAccount());
            workload.writer().create(ResourceType.SERVICE_ACCOUNTS, Ownership.mark(wanted, context.cluster()));
            found = read(workload);
        }
        if (found.isEmpty()) {
            return Optional.of(vanished(settings));
        }
        if (found.get().deleting()) {
            return Optional.of(Outcome.waiting(
                    "WaitingForServiceAccountGone",
                    "the " + settings.display() + " is being deleted, held by its finalizers "
                            + String.join(", ", found.get().finalizers())));
        }
        return Optional.empty();
    }

    static Outcome vanished(SentrySettings settings) {
        return Outcome.waiting(
                "WaitingForServiceAccount", "the " + settings.display() + " vanished right after it was looked at");
    }
}
