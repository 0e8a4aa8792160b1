package dev.slipway.diagnosis;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.Condition;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** Looks for the errors that an infrastructure provider repeats: in its conditions, and in its log where that is set. */
@Component
final class ProviderStep implements Step {

    static final String SENTRY_NOT_FOUND = "SentryNotFound";

    private static final Pattern SENTRY =
            Pattern.compile("ServiceAccounts?\\s+\\W*sentry\\W*\\s+not found", Pattern.CASE_INSENSITIVE);
    private static final int MOST_PODS = 3;
    private static final int MOST_LINES = 5;
    private static final int TAIL = 200;

    private final LiveReader reader;
    private final ClusterApi api;
    private final DiagnosisSettings settings;

    ProviderStep(LiveReader reader, ClusterApi api, DiagnosisSettings settings) {
        this.reader = reader;
        this.api = api;
        this.settings = settings;
    }

    @Override
    public int number() {
        return 7;
    }

    @Override
    public String title() {
        return "Infrastructure provider";
    }

    @Override
    public void look(ClusterRef cluster, Findings findings) {
        findings.look("infrastructure", () -> infrastructure(cluster)
                .ifPresentOrElse(
                        object -> findings.add(conditions(object)),
                        () -> findings.add(
                                Seen.ok("infrastructure", "there is no infrastructure object to ask (yet)"))));
        if (settings.providerLabels().isEmpty()) {
            findings.add(Seen.ok(
                    "pods/log", "the provider's log is not read: slipway.diagnosis.provider-selector is not set"));
            return;
        }
        findings.look("pods/log", () -> logs(cluster, findings));
    }

    private Optional<KubeObject> infrastructure(ClusterRef ref) {
        return api.cluster(ref.namespace(), ref.name())
                .flatMap(CapiCluster::infrastructureRef)
                .flatMap(target -> api.resolve(ref.namespace(), target));
    }

    private static Seen conditions(KubeObject object) {
        String name = ObjectHealth.name(object);
        return Condition.all(object).stream()
                .filter(condition -> !condition.holds()
                        && SENTRY.matcher(condition.message()).find())
                .findFirst()
                .map(condition -> Seen.problem(name, SENTRY_NOT_FOUND, ObjectHealth.sentence(condition)))
                .orElseGet(() -> Seen.ok(name, "no condition shows an error that is known here"));
    }

    private void logs(ClusterRef cluster, Findings findings) {
        List<KubeObject> pods = reader.list(ResourceType.PODS, settings.providerNamespace(), settings.providerLabels());
        if (pods.isEmpty()) {
            findings.add(Seen.warning(
                    "pods/log",
                    "NoProviderPods",
                    "no pod in " + settings.providerNamespace() + " has the labels " + settings.providerLabels()));
        }
        for (KubeObject pod : pods.subList(0, Math.min(MOST_PODS, pods.size()))) {
            String name = ObjectHealth.name(pod);
            findings.look(name, () -> findings.add(read(cluster, pod, name)));
        }
    }

    private Seen read(ClusterRef cluster, KubeObject pod, String name) {
        List<String> sentry = new ArrayList<>();
        List<String> named = new ArrayList<>();
        for (var container : pod.at("spec", "containers")) {
            for (String line : reader.log(
                    pod.namespace(), pod.name(), container.path("name").asText(), TAIL)) {
                if (SENTRY.matcher(line).find()) {
                    sentry.add(line);
                } else if (names(line, cluster.name())) {
                    named.add(line);
                }
            }
        }
        String lines = "of the last " + TAIL + " lines of its log ";
        // Not a problem for sure: lines stay when the error is gone, and may be about another cluster.
        return sentry.isEmpty()
                ? Seen.ok(name, lines + named.size() + " name the cluster, none shows an error that is known here")
                        .with(last(named))
                : Seen.warning(
                                name,
                                SENTRY_NOT_FOUND,
                                lines + sentry.size() + " say that the ServiceAccount sentry is not found")
                        .with(last(sentry));
    }

    private static boolean names(String line, String cluster) {
        return Pattern.compile("(?<![a-z0-9-])" + Pattern.quote(cluster) + "(?![a-z0-9])")
                .matcher(line)
                .find();
    }

    private static List<String> last(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size());
    }
}
