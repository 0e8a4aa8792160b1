package dev.slipway.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.HandlerInterceptor;

/** Refuses numbers and flags that are given without a value, which would otherwise count as not given. */
final class BlankParameters implements HandlerInterceptor {

    private static final List<String> VALUED = List.of("offset", "limit", "stuck", "open", "dryRun", "download");

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
        return true;
    }
}
