package dev.slipway.security;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** Answers refused requests as RFC 9457 problems, as the REST API does. */
final class ProblemWriter {

    private final ObjectMapper mapper = new ObjectMapper();

    /** 401, asking for Basic credentials. */
    void unauthorized(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("WWW-Authenticate", "Basic realm=\"Slipway\", charset=\"UTF-8\"");
        write(
                request,
                response,
                HttpStatus.UNAUTHORIZED,
                "NotSignedIn",
                "No credentials, unknown user, or wrong password",
                "Send HTTP Basic credentials of an engine user; after a wrong password wait some seconds");
    }

    /** 403. */
    void forbidden(HttpServletRequest request, HttpServletResponse response, String code, String detail)
            throws IOException {
        write(
                request,
                response,
                HttpStatus.FORBIDDEN,
                code,
                detail,
                "CrossSite".equals(code)
                        ? "Send the request from Slipway's own pages, or from a program"
                        : "Ask an administrator for the group 'operators' or 'camunda-admin'");
    }

    private void write(
            HttpServletRequest request,
            HttpServletResponse response,
            HttpStatus status,
            String code,
            String detail,
            String remedy)
            throws IOException {
        ObjectNode problem = JsonNodeFactory.instance.objectNode();
        problem.put(
                        "type",
                        "/problems/"
                                + code.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT))
                .put("title", status.getReasonPhrase())
                .put("status", status.value())
                .put("detail", detail)
                .put("instance", request.getRequestURI())
                .put("code", code)
                .put("remedy", remedy);
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding("UTF-8");
        mapper.writeValue(response.getOutputStream(), problem);
    }
}
