package dev.slipway.security;

import dev.slipway.kernel.FlowKinds;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.receipt.ReceiptBook;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.stereotype.Component;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * What a request to the REST API needs, by its method and path.
 *
 * <ul>
 *   <li>Reading needs READ, everything else OPERATE, unless a rule below says otherwise.
 *   <li>The namespace is the one in the path, or that of the flow in the path, or that of the query where the answer
 *       is limited to it; else all namespaces.
 * </ul>
 */
@Component
class ApiRules implements AuthorizationManager<RequestAuthorizationContext> {

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final String NAMESPACE = "namespace";
    private static final String NAME = "name";
    private static final String FLOW = "flow";
    private static final String CLUSTER = "cluster";
    private static final PathPatternParser PATHS = PathPatternParser.defaultInstance;

    private static final PathPattern CLUSTERS = PATHS.parse("/api/v1/clusters");
    private static final PathPattern STARTS = PATHS.parse("/api/v1/clusters/{namespace}/{name}/flows");
    private static final PathPattern ONE_CLUSTER = PATHS.parse("/api/v1/clusters/{namespace}/{name}/**");
    private static final PathPattern ONE_ITEM = PATHS.parse("/api/v1/work-items/{namespace}/{name}/**");
    private static final PathPattern EVENTS = PATHS.parse("/api/v1/events");
    private static final PathPattern ITEMS = PATHS.parse("/api/v1/work-items");
    private static final PathPattern ONE_FLOW = PATHS.parse("/api/v1/flows/{flow}/**");
    private static final PathPattern ONE_RECEIPT = PATHS.parse("/api/v1/receipts/{flow}/**");
    /** Their answers hold nothing of other namespaces than the one that is asked for. */
    private static final List<PathPattern> OF_A_NAMESPACE = Stream.of(
                    "audit", "cluster-classes", "clusters", "escalations", "events", "flows", "receipts", "work-items")
            .map(list -> PATHS.parse("/api/v1/" + list))
            .toList();

    /** What is not there is of nobody's namespace: only who may see all learns that. */
    private static final Target EVERYTHING = Target.cluster("", "");

    private final Rights rights;
    private final Flows flows;
    private final ReceiptBook receipts;

    ApiRules(Rights rights, Flows flows, ReceiptBook receipts) {
        this.rights = rights;
        this.flows = flows;
        this.receipts = receipts;
    }

    @Override
    public AuthorizationDecision check(Supplier<Authentication> who, RequestAuthorizationContext context) {
        Authentication authentication = who.get();
        if (authentication == null || new AuthenticationTrustResolverImpl().isAnonymous(authentication)) {
            return new AuthorizationDecision(false);
        }
        HttpServletRequest request = context.getRequest();
        PathContainer path = PathContainer.parsePath(
                request.getRequestURI().substring(request.getContextPath().length()));
        List<Action> actions = actions(request, path);
        if (actions.contains(Action.CREATE) && authentication instanceof KubernetesCaller) {
            // The namespace is in the body: the controller asks.
            return new AuthorizationDecision(true);
        }
        rights.require(authentication, actions, target(request, path));
        return new AuthorizationDecision(true);
    }

    private static List<Action> actions(HttpServletRequest request, PathContainer path) {
        if (READING.contains(request.getMethod())) {
            return List.of(Action.READ);
        }
        if (CLUSTERS.matches(path)) {
            return List.of(Action.CREATE);
        }
        if (STARTS.matches(path)) {
            // Which flow is in the body: the controller asks again.
            return List.of(Action.OPERATE, Action.DELETE);
        }
        return List.of("DELETE".equals(request.getMethod()) ? Action.DELETE : Action.OPERATE);
    }

    private Target target(HttpServletRequest request, PathContainer path) {
        Map<String, String> cluster = variables(ONE_CLUSTER, path);
        if (cluster != null) {
            return Target.cluster(cluster.getOrDefault(NAMESPACE, ""), cluster.getOrDefault(NAME, ""));
        }
        Map<String, String> item = variables(ONE_ITEM, path);
        if (item != null) {
            return Target.workItem(item.getOrDefault(NAMESPACE, ""), item.getOrDefault(NAME, ""));
        }
        Map<String, String> flow = variables(ONE_FLOW, path);
        if (flow != null) {
            return flows.find(flow.getOrDefault(FLOW, ""))
                    .map(found -> subject(found.kind(), found.cluster()))
                    .orElse(EVERYTHING);
        }
        Map<String, String> receipt = variables(ONE_RECEIPT, path);
        if (receipt != null) {
            return receipts.find(receipt.getOrDefault(FLOW, ""))
                    .map(found -> subject(found.head().kind(), found.head().cluster()))
                    .orElse(EVERYTHING);
        }
        if (EVENTS.matches(path) && request.getParameter(CLUSTER) != null) {
            return request.getParameter(NAMESPACE) == null
                    ? named(only(request.getParameterValues(CLUSTER)))
                    : EVERYTHING;
        }
        ResourceType type = ITEMS.matches(path) ? ResourceType.WORK_ITEMS : ResourceType.WORKLOAD_CLUSTERS;
        boolean limited = OF_A_NAMESPACE.stream().anyMatch(pattern -> pattern.matches(path));
        return new Target(type, limited ? only(request.getParameterValues(NAMESPACE)) : "", "");
    }

    private static Target subject(String kind, ClusterRef subject) {
        return FlowKinds.isOfWorkItems(kind)
                ? Target.workItem(subject.namespace(), subject.name())
                : Target.cluster(subject.namespace(), subject.name());
    }

    private static @Nullable Map<String, String> variables(PathPattern pattern, PathContainer path) {
        PathPattern.PathMatchInfo match = pattern.matchAndExtract(path);
        return match == null ? null : match.getUriVariables();
    }

    /** A cluster as {@code namespace/name}. */
    private static Target named(String cluster) {
        int slash = cluster.indexOf('/');
        return slash <= 0 ? EVERYTHING : Target.cluster(cluster.substring(0, slash), cluster.substring(slash + 1));
    }

    /** Several values could be read one way here and another way there. */
    private static String only(String @Nullable [] values) {
        return values == null || values.length != 1 ? "" : values[0].strip();
    }
}
