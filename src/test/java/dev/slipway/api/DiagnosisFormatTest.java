package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.MediaType;

/** Which shape of a diagnosis a client gets. */
class DiagnosisFormatTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json | JSON",
                "*/* | JSON",
                "'' | JSON",
                "text/html,application/xhtml+xml,*/*;q=0.8 | JSON",
                "text/plain | TEXT",
                "text/* | TEXT",
                "text/plain;q=0.5, application/json | JSON",
                "text/plain, */*;q=0.1 | TEXT",
                "text/markdown, text/plain;q=0.9 | MARKDOWN"
            })
    void theFormatIsTheOneThatTheClientLikesBest(String accept, DiagnosisFormat expected) {
        assertThat(DiagnosisFormat.of(MediaType.parseMediaTypes(accept))).isEqualTo(expected);
    }
}
