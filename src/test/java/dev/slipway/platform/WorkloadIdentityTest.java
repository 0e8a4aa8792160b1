package dev.slipway.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.platform.WorkloadIdentity.Registration;
import dev.slipway.platform.WorkloadIdentity.Standing;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether a workload cluster may have its name. */
class WorkloadIdentityTest {

    private static final WorkloadIdentity PROPERTY = new WorkloadIdentity("east-1", "uid-1");

    @Test
    void aFirstImportIsNew() {
        assertThat(check()).isEqualTo(Standing.NEW);
        assertThat(check(new Registration("test", "uid-2"), new Registration("dev", "")))
                .isEqualTo(Standing.NEW);
    }

    @Test
    void theSameIdentityUnderTheSameNameIsARepeatedImport() {
        assertThat(check(new Registration("prod", "east-1"))).isEqualTo(Standing.SAME);
        assertThat(check(new Registration("test", "uid-2"), new Registration("prod", "east-1")))
                .isEqualTo(Standing.SAME);
    }

    @Test
    void aPropertyThatCameLaterDoesNotMakeItAnotherCluster() {
        assertThat(check(new Registration("prod", "uid-1"))).isEqualTo(Standing.SAME);
        assertFailure("IdentityTaken", new Registration("test", "uid-1"));
    }

    @Test
    void aRecordWithoutAnIdentityIsLeftToTheCaller() {
        assertThat(check(new Registration("prod", ""))).isEqualTo(Standing.UNMARKED);
    }

    @Test
    void theSameIdentityUnderAnotherNameIsTaken() {
        assertFailure("IdentityTaken", new Registration("test", "east-1"));
        assertFailure("IdentityTaken", new Registration("prod", "east-1"), new Registration("test", "east-1"));
        assertFailure("IdentityTaken", new Registration("test", "east-1"), new Registration("prod", "east-1"));
    }

    @Test
    void anotherIdentityUnderTheSameNameIsAChange() {
        assertFailure("IdentityChanged", new Registration("prod", "east-2"));
    }

    private static Standing check(Registration... registrations) {
        return PROPERTY.check("prod", List.of(registrations));
    }

    private static void assertFailure(String code, Registration... registrations) {
        assertThatThrownBy(() -> check(registrations)).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
            assertThat(failure.code()).isEqualTo(code);
            assertThat(failure.message()).contains("'prod'");
            assertThat(failure.actions()).isNotEmpty();
        });
    }
}
