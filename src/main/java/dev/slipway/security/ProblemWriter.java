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

    /**
     * A problem.
     *
     * @param status the HTTP status
     * @param code UpperCamel, stable, for programs
     * @param detail one sentence for people
     * @param remedy what to do
     */
    record Problem(HttpStatus status, String code, String detail, String remedy) {}

    void write(HttpServletRequest request, HttpServletResponse response, Problem problem) throws IOException {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        String kebab = problem.code().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
        body.put("type", "/problems/" + kebab)
                .put("title", problem.status().getReasonPhrase())
                .put("status", problem.status().value())
                .put("detail", problem.detail())
                .put("instance", request.getRequestURI())
                .put("code", problem.code())
                .put("remedy", problem.remedy());
        response.setStatus(problem.status().value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding("UTF-8");
        mapper.writeValue(response.getOutputStream(), body);
    }
}
