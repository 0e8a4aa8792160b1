package dev.slipway.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses what would otherwise quietly find nothing, or everything.
 *
 * <p>Numbers, flags, times and choices without a value, and namespaces that cannot be one.
 */
final class CheckedParameters implements HandlerInterceptor {

    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final List<String> VALUED = List.of(
            "offset",
            "limit",
            "stuck",
            "open",
            "dryRun",
            "download",
            "since",
            "until",
            "action",
            "state",
            "origin",
            "sort",
            "order",
            "mode");

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        for (String name : VALUED) {
            String value = request.getParameter(name);
            if (value != null && value.isBlank()) {
                throw new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "The parameter " + name + " has no value")
                        .field(name)
                        .remedy("Give it one, or leave it out");
            }
        }
        String namespace = request.getParameter("namespace");
        if (namespace != null
                && !namespace.isEmpty()
                && !NAMESPACE.matcher(namespace).matches()) {
            throw new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "No namespace can have that name")
                    .field("namespace")
                    .remedy("Use lower-case letters, digits and '-', at most 63");
        }
        return true;
    }
}
