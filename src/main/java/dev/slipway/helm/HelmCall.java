package dev.slipway.helm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What Helm's process is asked to do.
 *
 * @param sentence what it is in words, for messages, for example {@code install the release team/web}
 * @param request the request's named texts; some are secret
 * @param secrets texts that no message may show
 */
record HelmCall(String sentence, Map<String, String> request, List<String> secrets) {

    HelmCall {
        request = Map.copyOf(request);
        secrets = List.copyOf(secrets);
    }

    /** Finds out which version of a chart there is. */
    static HelmCall show(ChartSource source) {
        return new HelmCall(
                "find " + source.display(),
                start("show", source),
                source.access().secrets());
    }

    /**
     * Installs a release that is not there, or upgrades one that is.
     *
     * @param operation {@code install} or {@code upgrade}
     * @param timeout how long Helm waits for hooks, in seconds
     */
    static HelmCall release(String operation, ReleaseTarget target, ChartSource source, Values values, int timeout) {
        Map<String, String> request = start(operation, source);
        release(request, target);
        request.put("timeout", Integer.toString(timeout));
        request.put("description", values.mark());
        int i = 0;
        for (Values.Part part : values.parts()) {
            request.put("values" + i++, part.yaml());
        }
        return new HelmCall(
                operation + " the release " + target.release().display() + " of " + source.display(),
                request,
                values.secrets(source.access().secrets()));
    }

    /** The same, only tried: the server is asked, nothing is stored. The output is the manifest. */
    HelmCall dry(String kubeVersion) {
        Map<String, String> changed = new LinkedHashMap<>(request);
        changed.put("dryRun", "server");
        changed.put("kubeVersion", kubeVersion);
        return new HelmCall("plan to " + sentence, changed, secrets);
    }

    static HelmCall uninstall(ReleaseTarget target) {
        Map<String, String> request = new LinkedHashMap<>();
        request.put("operation", "uninstall");
        release(request, target);
        return new HelmCall("uninstall the release " + target.release().display(), request, List.of());
    }

    @Override
    public String toString() {
        return "HelmCall " + sentence;
    }

    private static Map<String, String> start(String operation, ChartSource source) {
        Map<String, String> request = new LinkedHashMap<>();
        request.put("operation", operation);
        request.put("url", source.url());
        request.put("host", source.authority());
        request.put("chart", source.chart());
        request.put("version", source.version());
        request.put("user", source.access().user());
        request.put("password", source.access().password());
        request.put("authorities", source.access().authorities());
        return request;
    }

    private static void release(Map<String, String> request, ReleaseTarget target) {
        request.put("name", target.release().name());
        request.put("namespace", target.release().namespace());
        request.put("kubeconfig", target.workload().kubeconfig().value());
    }
}
