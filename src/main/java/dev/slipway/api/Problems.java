package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.slipway.kernel.Decisions;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Failure;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Turns every exception into a problem: no stack, no secret, always a code.
 *
 * <p>What was not expected is logged once, here, under an id that the answer carries.
 */
@RestControllerAdvice
final class Problems extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
    private static final String RETRY_SECONDS = "5";
    private static final String NAME_INVALID = "NameInvalid";

    @ExceptionHandler
    ResponseEntity<ProblemDetail> known(ApiProblem problem) {
        return answer(problem);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> failed(Failure failure) {
        return answer(ofFailure(failure));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> rejected(RequestRejectedException rejected) {
        return answer(RejectedRequests.odd());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> conflict(Decisions.Conflict conflict) {
        return answer(new ApiProblem(HttpStatus.CONFLICT, "DecisionConflict", String.valueOf(conflict.getMessage()))
                .remedy("Look at the cluster again, then decide anew"));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notAllowed(Decisions.NotAllowed refusal) {
        return answer(new ApiProblem(
                        HttpStatus.UNPROCESSABLE_ENTITY, "ChoiceNotAllowed", String.valueOf(refusal.getMessage()))
                .field("choice")
                .with("allowed", refusal.allowed())
                .remedy("Choose one of " + refusal.allowed()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> invalid(Decisions.Invalid invalid) {
        return answer(new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", String.valueOf(invalid.getMessage()))
                .field(invalid.field())
                .remedy(invalid.remedy()));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unexpected(Exception e) throws Exception {
        if (e instanceof AccessDeniedException || e instanceof AuthenticationException) {
            // The security filters answer these.
            throw e;
        }
        String id = UUID.randomUUID().toString();
        LOG.error("Request failed unexpectedly, id {}", id, e);
        return answer(new ApiProblem(HttpStatus.INTERNAL_SERVER_ERROR, "Internal", "Slipway could not do this")
                .with("id", id)
                .remedy("Look for this id in Slipway's log; try again"));
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ApiProblem problem = unreadable(e);
        return handleExceptionInternal(e, problem.body(), headers, problem.status(), request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ApiProblem problem = invalid(e.getBindingResult());
        return handleExceptionInternal(e, problem.body(), headers, problem.status(), request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String field = e instanceof MethodArgumentTypeMismatchException named ? named.getName() : e.getPropertyName();
        ApiProblem problem = wrongType(field, e.getRequiredType());
        return handleExceptionInternal(e, problem.body(), headers, problem.status(), request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception e, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ResponseEntity<Object> answer = super.handleExceptionInternal(e, body, headers, status, request);
        if (answer != null && answer.getBody() instanceof ProblemDetail problem && !hasCode(problem)) {
            ApiProblem.describe(problem, code(status));
        }
        return answer;
    }

    /** Says what a failed call to the management cluster means for who asked. */
    static ApiProblem ofFailure(Failure failure) {
        if (NAME_INVALID.equals(failure.code())) {
            return new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", failure.message())
                    .remedy(String.join("; ", failure.actions()));
        }
        boolean absent = "KindAbsent".equals(failure.code());
        boolean later = failure.errorClass().triesBeforeBlocked() == 0 || absent;
        String remedy = failure.actions().stream().collect(Collectors.joining("; "));
        if (remedy.isEmpty()) {
            remedy = absent
                    ? "Install the CRDs of Slipway: " + ResourceType.WORKLOAD_CLUSTERS.display() + " is not served"
                    : "Check the management cluster, and Slipway's access to it";
        }
        return new ApiProblem(
                        later ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.BAD_GATEWAY,
                        failure.code(),
                        failure.message())
                .remedy(remedy);
    }

    private static ApiProblem unreadable(HttpMessageNotReadableException e) {
        if (e.getCause() instanceof UnrecognizedPropertyException unknown) {
            return new ApiProblem(
                            HttpStatus.BAD_REQUEST, "UnknownField", "There is no field " + unknown.getPropertyName())
                    .field(unknown.getPropertyName())
                    .remedy("Leave it out; known fields: "
                            + unknown.getKnownPropertyIds().stream()
                                    .map(String::valueOf)
                                    .sorted()
                                    .collect(Collectors.joining(", ")));
        }
        if (e.getCause() instanceof JsonMappingException wrong
                && !wrong.getPath().isEmpty()) {
            String field = wrong.getPath().stream()
                    .map(JsonMappingException.Reference::getFieldName)
                    .filter(Objects::nonNull)
                    .collect(Collectors.joining("."));
            return new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "The field " + field + " has a wrong type")
                    .field(field)
                    .remedy("See /v3/api-docs for the type");
        }
        return new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidBody", "The body is missing or is not JSON")
                .remedy("Send a JSON object with Content-Type: application/json");
    }

    private static ApiProblem invalid(BindingResult result) {
        ObjectError first = result.getAllErrors().get(0);
        if (!(first instanceof FieldError wrong)) {
            return new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", String.valueOf(first.getDefaultMessage()));
        }
        if (wrong.isBindingFailure()) {
            return wrongType(wrong.getField(), result.getFieldType(wrong.getField()));
        }
        return new ApiProblem(
                        HttpStatus.BAD_REQUEST,
                        "InvalidField",
                        "The parameter " + wrong.getField() + " " + wrong.getDefaultMessage())
                .field(wrong.getField())
                .remedy("See /v3/api-docs for its limits");
    }

    private static ApiProblem wrongType(@Nullable String field, @Nullable Class<?> type) {
        Object[] choices = type == null ? null : type.getEnumConstants();
        return new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "The parameter " + field + " cannot be read")
                .field(field)
                .remedy(
                        choices == null
                                ? "See /v3/api-docs for its type"
                                : "Use one of "
                                        + Arrays.stream(choices)
                                                .map(String::valueOf)
                                                .collect(Collectors.joining(", ")));
    }

    private static boolean hasCode(ProblemDetail problem) {
        return problem.getProperties() != null && problem.getProperties().containsKey("code");
    }

    private static String code(HttpStatusCode status) {
        HttpStatus known = HttpStatus.resolve(status.value());
        return known == null ? "Failed" : known.getReasonPhrase().replaceAll("[^A-Za-z]", "");
    }

    private static ResponseEntity<ProblemDetail> answer(ApiProblem problem) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(problem.status());
        if (problem.status() == HttpStatus.SERVICE_UNAVAILABLE
                || problem.status() == HttpStatus.TOO_MANY_REQUESTS
                || problem.code().equals("IdempotencyKeyInUse")) {
            answer.header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        }
        return answer.body(problem.body());
    }
}
