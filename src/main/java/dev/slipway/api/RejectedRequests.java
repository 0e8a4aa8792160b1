package dev.slipway.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.stereotype.Component;

/** Answers requests that are refused before anybody looks at them as problems, too: odd methods, odd characters. */
@Component
final class RejectedRequests implements RequestRejectedHandler {

    private static final Set<String> KNOWN = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final ObjectMapper json;

    RejectedRequests(ObjectMapper json) {
        this.json = json;
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, RequestRejectedException rejected)
            throws IOException {
        boolean method = !KNOWN.contains(request.getMethod());
        if (method) {
            response.setHeader(HttpHeaders.ALLOW, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
        }
        ProblemDetail body = method
                ? new ApiProblem(HttpStatus.METHOD_NOT_ALLOWED, "MethodNotAllowed", "There is no such method here")
                        .remedy("See /v3/api-docs for the methods of each path")
                        .body()
                : odd().body();
        response.setStatus(body.getStatus());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding("UTF-8");
        json.writeValue(response.getOutputStream(), body);
    }

    /** The request has characters that have no place there. */
    static ApiProblem odd() {
        return new ApiProblem(
                        HttpStatus.BAD_REQUEST,
                        "InvalidRequest",
                        "The path, a parameter or a header has characters that have no place there")
                .remedy("Leave out control characters, and ';', '//' and encoded slashes in paths");
    }
}
