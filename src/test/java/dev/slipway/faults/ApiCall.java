package dev.slipway.faults;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A request, in the terms of the Kubernetes API.
 *
 * @param verb get, list, watch, create, update, patch, delete or deletecollection; for other paths get, create, ...
 * @param group the API group; empty for the core group and for other paths
 * @param resource the plural; empty for paths that are no resource, such as {@code /readyz}
 * @param namespace the namespace, or empty
 * @param name the object's name, or empty
 * @param subresource for example {@code status}, or empty
 * @param path the path
 * @param query the query as it was sent, or empty
 */
public record ApiCall(
        String verb,
        String group,
        String resource,
        String namespace,
        String name,
        String subresource,
        String path,
        String query) {

    /** Reads a request's method and URI. */
    static ApiCall of(String method, String uri) {
        int mark = uri.indexOf('?');
        String path = mark < 0 ? uri : uri.substring(0, mark);
        String query = mark < 0 ? "" : uri.substring(mark + 1);
        List<String> parts =
                Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).toList();
        boolean core = !parts.isEmpty() && parts.get(0).equals("api");
        boolean grouped = !parts.isEmpty() && parts.get(0).equals("apis");
        int rest = core ? 2 : 3;
        if ((!core && !grouped) || parts.size() <= rest) {
            return new ApiCall(verb(method, "x", query), "", "", "", "", "", path, query);
        }
        String group = core ? "" : parts.get(1);
        boolean namespaced = parts.get(rest).equals("namespaces") && parts.size() > rest + 2;
        int at = namespaced ? rest + 2 : rest;
        String name = part(parts, at + 1);
        return new ApiCall(
                verb(method, name, query),
                group,
                parts.get(at),
                namespaced ? parts.get(rest + 1) : "",
                name,
                part(parts, at + 2),
                path,
                query);
    }

    boolean isWatch() {
        return verb.equals("watch");
    }

    /** Whether the query has that parameter. */
    boolean has(String parameter) {
        return parameters().contains(parameter);
    }

    private Set<String> parameters() {
        return Arrays.stream(query.split("&"))
                .map(parameter -> parameter.split("=", 2)[0])
                .collect(Collectors.toSet());
    }

    private static String part(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index) : "";
    }

    private static String verb(String method, String name, String query) {
        return switch (method) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
            default -> {
                boolean watch = Arrays.stream(query.split("&"))
                        .anyMatch(parameter -> parameter.equals("watch=true") || parameter.equals("watch=1"));
                yield watch ? "watch" : name.isEmpty() ? "list" : "get";
            }
        };
    }
}
