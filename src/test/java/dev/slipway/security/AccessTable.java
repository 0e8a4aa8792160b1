package dev.slipway.security;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what: each request that Slipway answers, by each kind of caller.
 *
 * <p>{@link AccessIT} tries each cell, {@link AccessDocsTest} keeps docs/security.md the same.
 */
final class AccessTable {

    /** Who asks. */
    enum Who {
        NOBODY("nobody"),
        NO_ROLE("no role"),
        VIEWER("viewer"),
        OPERATOR("operator"),
        DESIGNER("designer"),
        ADMIN("admin"),
        TOKEN_VIEW("token: view"),
        TOKEN_EDIT("token: edit"),
        TOKEN_ELSEWHERE("token: edit elsewhere");

        private final String text;

        Who(String text) {
            this.text = text;
        }
    }

    /** What they get. */
    enum Cell {
        YES("yes"),
        NOT_SIGNED_IN("401"),
        NOT_ALLOWED("403");

        private final String text;

        Cell(String text) {
            this.text = text;
        }

        /** The cell of a status: whoever was let in may get any other. */
        static Cell of(int status) {
            return switch (status) {
                case 401 -> NOT_SIGNED_IN;
                case 403 -> NOT_ALLOWED;
                default -> YES;
            };
        }

        private static Cell of(char letter) {
            return switch (letter) {
                case 'y' -> YES;
                case '1' -> NOT_SIGNED_IN;
                default -> NOT_ALLOWED;
            };
        }
    }

    /**
     * One request.
     *
     * @param method the HTTP method
     * @param path as the application declares it, with variables
     * @param query what is added to try it, and shown
     * @param body JSON to try it, or null
     * @param cells by {@link Who}: y, 1 for 401, 3 for 403
     */
    record Row(String method, String path, String query, @Nullable String body, String cells) {

        Row {
            if (cells.length() != Who.values().length) {
                throw new IllegalArgumentException(method + " " + path + " has " + cells.length() + " cells");
            }
        }

        Cell of(Who who) {
            return Cell.of(cells.charAt(who.ordinal()));
        }

        @Override
        public String toString() {
            return method + " " + path + query;
        }
    }

    private static final String OPEN = "yyyyyyyyy";
    private static final String SIGNED_IN = "1yyyyyyyy";
    private static final String READ = "13yyyyyy3";
    private static final String READ_ALL = "13yyyy333";
    private static final String CHANGE = "133y3y3y3";
    private static final String CHANGE_ALL = "133y3y333";
    private static final String ADMINISTER = "13333y333";
    /** The engine's own interfaces take no tokens; its authorizations decide beyond the first check. */
    private static final String ENGINE = "13yyyy111";

    private static final String ENGINE_DEPLOY = "1333yy111";
    private static final String ENGINE_ADMINISTER = "13333y111";

    private static final String CLUSTER = "/api/v1/clusters/{namespace}/{name}";
    private static final String ITEM = "/api/v1/work-items/{namespace}/{name}";
    private static final String NEW_CLUSTER =
            """
            {"apiVersion": "slipway.dev/v1alpha1", "kind": "WorkloadCluster",
             "metadata": {"namespace": "{namespace}", "name": "none"}, "spec": {}}""";
    private static final String IN_NAMESPACE = "?namespace={namespace}";

    private AccessTable() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        rows.addAll(sessions());
        rows.addAll(clusters());
        rows.addAll(fleet());
        rows.addAll(others());
        return rows;
    }

    private static List<Row> sessions() {
        return List.of(
                get("/", OPEN),
                get("/assets/**", OPEN),
                get("/api/v1/sign-in", OPEN),
                // Wrong credentials in the body: nobody is let in by it, but everybody may try.
                post("/api/v1/session", "{\"name\": \"nobody\", \"password\": \"\"}", "111111111"),
                get("/api/v1/session", SIGNED_IN),
                new Row("DELETE", "/api/v1/session", "", null, OPEN));
    }

    private static List<Row> clusters() {
        return List.of(
                // Which namespace is in the body.
                new Row("POST", "/api/v1/clusters", "?dryRun=true", NEW_CLUSTER, CHANGE),
                get(CLUSTER, READ),
                get(CLUSTER + "/decisions", READ),
                get(CLUSTER + "/deletion", READ),
                get(CLUSTER + "/diagnosis", READ),
                get(CLUSTER + "/events", READ),
                post(CLUSTER + "/flows", "{\"flow\": \"init\"}", CHANGE),
                post(CLUSTER + "/flows", "{\"flow\": \"delete\", \"confirm\": \"none\"}", CHANGE),
                post(CLUSTER + "/retry", "{}", CHANGE),
                post(CLUSTER + "/decisions", "{\"choice\": \"RETRY\"}", CHANGE),
                new Row("PUT", CLUSTER + "/credentials", "", "{\"secretName\": \"none\"}", CHANGE),
                get(ITEM, READ),
                get(ITEM + "/decisions", READ),
                post(ITEM + "/flows", "{\"flow\": \"work-item-install\"}", CHANGE),
                post(ITEM + "/decisions", "{\"choice\": \"RETRY\"}", CHANGE),
                get("/api/v1/flows/{id}", READ),
                get("/api/v1/flows/{id}/diagram", READ),
                get("/api/v1/flows/{id}/runs", READ),
                get("/api/v1/receipts/{flow}", READ));
    }

    private static List<Row> fleet() {
        List<Row> rows = new ArrayList<>();
        for (String list :
                List.of("clusters", "work-items", "flows", "receipts", "escalations", "audit", "cluster-classes")) {
            rows.add(get("/api/v1/" + list, READ_ALL));
            rows.add(new Row("GET", "/api/v1/" + list, IN_NAMESPACE, null, READ));
        }
        // A stream that was let in would last: one that asks for nonsense is answered at once.
        rows.add(new Row("GET", "/api/v1/events", "?cluster={namespace}/NONE", null, READ));
        rows.add(get("/api/v1/namespaces", READ_ALL));
        rows.add(get("/api/v1/stuck", READ_ALL));
        rows.add(post("/api/v1/stuck/retry", "{\"phase\": \"None\", \"reason\": \"None\"}", CHANGE_ALL));
        rows.add(get("/api/v1/statistics", READ_ALL));
        return rows;
    }

    private static List<Row> others() {
        return List.of(
                get("/v3/api-docs", SIGNED_IN),
                get("/v3/api-docs/swagger-config", SIGNED_IN),
                get("/v3/api-docs.yaml", "13yyyy333"),
                get("/swagger-ui.html", SIGNED_IN),
                get("/swagger-ui/**", SIGNED_IN),
                get("/actuator/health", OPEN),
                get("/actuator/health/**", OPEN),
                get("/actuator", ADMINISTER),
                get("/actuator/info", ADMINISTER),
                get("/actuator/metrics", ADMINISTER),
                get("/actuator/metrics/{requiredMetricName}", ADMINISTER),
                get("/actuator/prometheus", ADMINISTER),
                get("/engine-rest/**", ENGINE),
                // No file is in it: who may deploy is told so.
                post("/engine-rest/deployment/create", null, ENGINE_DEPLOY),
                new Row("DELETE", "/engine-rest/user/none", "", null, ENGINE_ADMINISTER),
                // The webapps take sessions only.
                get("/camunda/**", "111111111"));
    }

    /** The table for docs/security.md. */
    static String markdown() {
        StringBuilder page = new StringBuilder("| request |");
        for (Who who : Who.values()) {
            page.append(' ').append(who.text).append(" |");
        }
        page.append("\n|---|").append("---|".repeat(Who.values().length)).append('\n');
        for (Row row : rows()) {
            String note = row.body() != null && row.body().contains("delete") ? " (delete)" : "";
            page.append("| `").append(row).append('`').append(note).append(" |");
            page.append(Arrays.stream(Who.values())
                            .map(who -> " " + row.of(who).text)
                            .collect(Collectors.joining(" |")))
                    .append(" |\n");
        }
        return page.toString();
    }

    private static Row get(String path, String cells) {
        return new Row("GET", path, "", null, cells);
    }

    private static Row post(String path, @Nullable String body, String cells) {
        return new Row("POST", path, "", body, cells);
    }
}
