package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

@ExtendWith(OutputCaptureExtension.class)
class ProblemsTest {

    private final Problems problems = new Problems();

    @Test
    void saysWhatOnWhichObjectWhichFieldAndWhatToDo() {
        // when
        ProblemDetail body = new ApiProblem(HttpStatus.CONFLICT, "FlowActive", "One is active")
                .object("demo/c1")
                .field("flow")
                .remedy("Wait")
                .body();

        // then
        assertThat(body.getStatus()).isEqualTo(409);
        assertThat(body.getType()).hasToString("/problems/flow-active");
        assertThat(body.getProperties())
                .containsEntry("code", "FlowActive")
                .containsEntry("object", "demo/c1")
                .containsEntry("field", "flow")
                .containsEntry("remedy", "Wait");
    }

    @ParameterizedTest
    @CsvSource({
        "TRANSIENT, ApiUnreachable, 503, 5",
        "INVALID, KindAbsent, 503, 5",
        "AUTH, CredentialInvalid, 502, ''",
        "TRUST, CaUnknown, 502, ''"
    })
    void answersFailedCallsByWhoCanRepairThem(ErrorClass errorClass, String code, int status, String retryAfter) {
        // when
        ResponseEntity<ProblemDetail> answer = problems.failed(Failure.of(errorClass, code, "The call failed"));

        // then
        assertThat(answer.getStatusCode().value()).isEqualTo(status);
        assertThat(answer.getHeaders().getOrEmpty(HttpHeaders.RETRY_AFTER))
                .isEqualTo(retryAfter.isEmpty() ? List.of() : List.of(retryAfter));
        assertThat(answer.getBody()).isNotNull();
        assertThat(answer.getBody().getProperties()).containsEntry("code", code).containsKey("remedy");
    }

    @Test
    void keepsWhatAnUnexpectedExceptionSaysInTheLog(CapturedOutput output) throws Exception {
        // when
        ResponseEntity<ProblemDetail> answer =
                problems.unexpected(new IllegalStateException("jdbc:h2 password=secret"));

        // then
        assertThat(answer.getStatusCode().value()).isEqualTo(500);
        assertThat(answer.getBody()).isNotNull();
        assertThat(answer.getBody().toString()).doesNotContain("secret", "IllegalState");
        String id = String.valueOf(answer.getBody().getProperties().get("id"));
        assertThat(output).contains(id);
    }
}
