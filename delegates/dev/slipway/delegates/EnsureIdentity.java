package dev.slipway.delegates;

import dev.slipway.imports.IdentityRecords;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportTarget;
import dev.slipway.imports.ImportTargets;
import dev.slipway.imports.RegistrationMark;
import dev.slipway.imports.ServerVersion;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.platform.WorkloadIdentity;
import dev.slipway.platform.WorkloadIdentity.Registration;
import dev.slipway.platform.WorkloadIdentity.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Makes sure that the cluster that answers is the one that the name stands for.
 *
 * <ul>
 *   <li>its version is supported
 *   <li>its identity belongs to no other name, and its name to no other identity
 *   <li>another identity of the name replaces the recorded one only if an operator named just that one
 *   <li>a mark of another registration is removed only if an operator said so
 *   <li>the fact {@code clusterIdentity} and an annotation of the Cluster hold the identity
 * </ul>
 */
@Component
public class EnsureIdentity implements Phase {

    private static final String FACT = "clusterIdentity";

    private final ImportTargets targets;
    private final ImportAccess access;
    private final PlatformApi platforms;
    private final IdentityRecords records;

    public EnsureIdentity(ImportTargets targets, ImportAccess access, PlatformApi platforms, IdentityRecords records) {
        this.targets = targets;
        this.access = access;
        this.platforms = platforms;
        this.records = records;
    }

    @Override
    public Outcome run(PhaseContext context) {
        ImportTarget target = targets.require(context);
        Optional<Workload> opened = access.open(target);
        if (opened.isEmpty()) {
            return access.waitForKubeconfig(target);
        }
        Workload workload = opened.get();
        ServerVersion.require(workload.server(), workload.version());
        WorkloadIdentity identity = WorkloadIdentity.read(workload.reader());
        Optional<Platform> platform = platforms.open();
        List<PlatformCluster> known = platform.map(Platform::clusters).orElse(List.of());
        Optional<Registration> own = records.own(target, known);
        Optional<String> earlier =
                own.map(Registration::id).filter(id -> !id.isEmpty()).filter(id -> !identity.is(id));
        Optional<String> named = earlier.flatMap(id -> context.directive(Directive.REPLACE_IDENTITY));
        boolean replace = named.filter(identity::is).isPresent();
        List<Registration> registrations = new ArrayList<>(records.others(target, known));
        if (named.isPresent() && !replace) {
            return otherThanNamed(target, identity, earlier.orElseThrow(), named.get());
        }
        if (!replace) {
            own.ifPresent(registrations::add);
        }
        Standing standing = identity.check(target.name(), registrations);
        if (standing == Standing.NEW) {
            boolean takeOver = context.directive(Directive.TAKE_OVER_MARK).isPresent();
            Optional<Outcome> marked = RegistrationMark.clear(workload, takeOver);
            if (marked.isPresent()) {
                return marked.get();
            }
        }
        if (replace) {
            known.stream()
                    .filter(record -> record.name().equals(target.name()))
                    .forEach(record -> records.replace(platform.orElseThrow(), record, identity));
        }
        records.record(target, identity);
        String history = replace ? ", in place of " + earlier.orElseThrow() + ", as an operator decided" : "";
        return Outcome.done(target.display() + " is the cluster " + identity.id() + history)
                .with(FACT, identity.id());
    }

    private static Outcome otherThanNamed(
            ImportTarget target, WorkloadIdentity identity, String earlier, String named) {
        return Outcome.blocked(
                ErrorClass.IDENTITY,
                "IdentityChanged",
                "'" + target.name() + "' is registered with the identity " + earlier + ". The decision REPLACE_IDENTITY"
                        + " names " + named + ", but the workload cluster that answers is " + identity.id(),
                "Check that the kubeconfig and the endpoint lead to the right cluster",
                "If it is the right one: decide REPLACE_IDENTITY with " + identity.id());
    }
}
