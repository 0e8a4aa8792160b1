package dev.slipway.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clusters may be called. */
class PlatformNamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "prod-east",
                "cls-abc123",
                "7",
                "123456789012345678901234567890123456789012345678901234567890"
            })
    void acceptsLabelsOfAtMostSixtyCharacters(String name) {
        assertThatCode(() -> PlatformNames.require(name)).doesNotThrowAnyException();
        assertThat(PlatformNames.credential(name)).hasSizeLessThanOrEqualTo(63);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                "a-",
                "a.b",
                "Prod",
                "a_b",
                "a b",
                "ä",
                "a\n",
                "global",
                "1234567890123456789012345678901234567890123456789012345678901"
            })
    void refusesAllOthers(String name) {
        assertThatThrownBy(() -> PlatformNames.require(name)).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
            assertThat(failure.code()).isEqualTo("NameInvalid");
        });
    }

    @Test
    void aNameThatThePlatformChangedIsNamedWithTheRecordToDelete() {
        // then
        assertThatCode(() -> PlatformNames.requireSame("prod", "prod")).doesNotThrowAnyException();
        assertThatThrownBy(() -> PlatformNames.requireSame("cls-prod-east", "cls-prodeast"))
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
                    assertThat(failure.code()).isEqualTo("NameChanged");
                    assertThat(failure.message()).contains("'cls-prod-east'", "'cls-prodeast'");
                    assertThat(failure.actions().get(0)).contains("cls-prodeast");
                });
    }
}
