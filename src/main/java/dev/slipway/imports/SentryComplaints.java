package dev.slipway.imports;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.Condition;
import dev.slipway.cluster.ObjectRef;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.sentry.SentrySettings;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Finds whether a provider still says that it misses the account: the sign of a cluster that was not imported. */
@Component
public class SentryComplaints {

    private final ClusterApi api;
    private final SentrySettings settings;

    public SentryComplaints(ClusterApi api, SentrySettings settings) {
        this.api = api;
        this.settings = settings;
    }

    /** The condition that says so, of the Cluster, its infrastructure or its control plane; what is unreadable says nothing. */
    public Optional<String> of(ImportTarget target) {
        CapiCluster cluster = target.cluster();
        Stream<KubeObject> parts = Stream.of(cluster.infrastructureRef(), cluster.controlPlaneRef())
                .flatMap(Optional::stream)
                .flatMap(ref -> read(target, ref).stream());
        return Stream.concat(Stream.of(cluster.object()), parts)
                .flatMap(object -> complaint(object).stream())
                .findFirst();
    }

    private Optional<KubeObject> read(ImportTarget target, ObjectRef ref) {
        try {
            return api.resolve(target.namespace(), ref);
        } catch (Failure e) {
            if (e.errorClass() == ErrorClass.INVALID || e.errorClass() == ErrorClass.AUTH) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<String> complaint(KubeObject object) {
        String missing = "ServiceAccount \"" + settings.serviceAccount() + "\" not found";
        return Condition.all(object).stream()
                .filter(condition -> !condition.holds() && condition.message().contains(missing))
                .map(condition ->
                        object.kind() + " " + object.namespace() + "/" + object.name() + ": " + condition.sentence())
                .findFirst();
    }
}
