package dev.slipway.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.MovedClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SignInGuardTest {

    private static final String HOME = "192.0.2.1";
    private static final String ELSEWHERE = "198.51.100.7";

    private final MovedClock clock = new MovedClock();
    private final SignInGuard guard = new SignInGuard(new SignInSettings(3, 10, 6, Duration.ofMinutes(3)), clock);

    @Test
    void letsSomebodyBeWrongSomeTimesAndThenWait() {
        // given
        fail("ada", HOME, 3);

        // when, then
        assertThatThrownBy(() -> guard.check("ada", HOME))
                .isInstanceOfSatisfying(
                        TooManyAttempts.class, e -> assertThat(e.seconds()).isBetween(1L, 60L));
        clock.move(Duration.ofMinutes(1));
        assertThatCode(() -> guard.check("ada", HOME)).doesNotThrowAnyException();
    }

    @Test
    void doesNotKeepOutWhoSignsInFromWhereTheyAlwaysDo() {
        // given
        guard.succeeded("ada", HOME);
        fail("ada", ELSEWHERE, 20);
        fail("bob", HOME, 20);

        // when, then
        assertThatCode(() -> guard.check("ada", HOME)).doesNotThrowAnyException();
        assertThatThrownBy(() -> guard.check("ada", "203.0.113.1")).isInstanceOf(TooManyAttempts.class);
        assertThatThrownBy(() -> guard.check("carol", HOME)).isInstanceOf(TooManyAttempts.class);
    }

    @Test
    void letsParallelGuessesRunIntoDebt() {
        // given
        fail("ada", HOME, 6);

        // when
        clock.move(Duration.ofMinutes(2));

        // then
        assertThatThrownBy(() -> guard.check("ada", HOME)).isInstanceOf(TooManyAttempts.class);
    }

    @Test
    void forgivesMistakesAfterTheRightPassword() {
        // given
        fail("ada", HOME, 2);

        // when
        guard.succeeded("ada", HOME);
        fail("ada", HOME, 2);

        // then
        assertThatCode(() -> guard.check("ada", HOME)).doesNotThrowAnyException();
    }

    @Test
    void takesANetworkOfIpv6ForOneAddress() {
        // given
        for (int i = 0; i < 6; i++) {
            guard.failed("user" + i, "2001:db8:0:1::" + i);
        }

        // when, then
        assertThatThrownBy(() -> guard.check("ada", "2001:db8:0:1:ffff::1")).isInstanceOf(TooManyAttempts.class);
        assertThatCode(() -> guard.check("ada", "2001:db8:0:2::1")).doesNotThrowAnyException();
    }

    private void fail(String name, String address, int times) {
        for (int i = 0; i < times; i++) {
            guard.failed(name, address);
        }
    }
}
