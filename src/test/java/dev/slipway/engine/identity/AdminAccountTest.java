package dev.slipway.engine.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.camunda.bpm.engine.ProcessEngine;
import org.camunda.bpm.engine.authorization.Authorization;
import org.camunda.bpm.engine.authorization.Permissions;
import org.camunda.bpm.engine.authorization.Resources;
import org.camunda.bpm.engine.impl.cfg.StandaloneInMemProcessEngineConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class AdminAccountTest {

    private static final Pattern SHOWN = Pattern.compile("user admin, password (\\S+)");

    private static ProcessEngine engine;

    @BeforeAll
    static void startAnEngine() {
        engine = engine();
    }

    @AfterAll
    static void closeTheEngine() {
        engine.close();
    }

    @AfterEach
    void forgetEverybody() {
        engine.getAuthorizationService()
                .createAuthorizationQuery()
                .list()
                .forEach(grant -> engine.getAuthorizationService().deleteAuthorization(grant.getId()));
        engine.getIdentityService().deleteUser("admin");
        engine.getIdentityService().deleteGroup("operators");
        engine.getIdentityService().deleteGroup("camunda-admin");
    }

    @Test
    void generatesAPasswordAtFirstStartAndShowsItOnce(CapturedOutput output) {
        // when
        start(null);
        start(null);

        // then
        Matcher shown = SHOWN.matcher(output);
        assertThat(shown.find()).isTrue();
        String password = shown.group(1);
        assertThat(password).hasSizeGreaterThanOrEqualTo(20);
        assertThat(signsIn(password)).isTrue();
        assertThat(shown.find()).isFalse();
    }

    @Test
    void takesTheConfiguredPasswordAndDoesNotShowIt(CapturedOutput output) {
        // when
        start("a good password");

        // then
        assertThat(signsIn("a good password")).isTrue();
        assertThat(output).doesNotContain("a good password");
    }

    @Test
    void changesThePasswordWithTheConfiguration() {
        // given
        start("a good password");

        // when
        start("a better password");

        // then
        assertThat(signsIn("a better password")).isTrue();
        assertThat(signsIn("a good password")).isFalse();
    }

    @Test
    void keepsThePasswordWhenNoneIsConfiguredAnyMore() {
        // given
        start("a good password");

        // when
        start("");

        // then
        assertThat(signsIn("a good password")).isTrue();
    }

    @Test
    void addsNothingWhenItStartsAgain() {
        // given
        start("a good password");
        long grants =
                engine.getAuthorizationService().createAuthorizationQuery().count();

        // when
        start("a good password");

        // then
        assertThat(grants).isPositive();
        assertThat(engine.getAuthorizationService().createAuthorizationQuery().count())
                .isEqualTo(grants);
        assertThat(engine.getIdentityService()
                        .createGroupQuery()
                        .groupMember("admin")
                        .list())
                .extracting(group -> group.getId())
                .containsExactlyInAnyOrder("operators", "camunda-admin");
    }

    @ParameterizedTest
    @CsvSource({
        "viewers, APPLICATION/cockpit ACCESS, true",
        "viewers, APPLICATION/admin ACCESS, false",
        "viewers, PROCESS_INSTANCE READ, true",
        "viewers, TASK READ, true",
        "viewers, TASK TASK_WORK, false",
        "viewers, DEPLOYMENT CREATE, false",
        "viewers, PROCESS_INSTANCE DELETE, false",
        "operators, APPLICATION/tasklist ACCESS, true",
        "operators, PROCESS_INSTANCE READ, true",
        "operators, TASK TASK_WORK, true",
        "operators, DEPLOYMENT CREATE, false",
        "operators, USER UPDATE, false",
        "operators, AUTHORIZATION CREATE, false",
        "operators, PROCESS_INSTANCE DELETE, false",
        "designers, APPLICATION/cockpit ACCESS, true",
        "designers, PROCESS_INSTANCE READ, true",
        "designers, DEPLOYMENT CREATE, true",
        "designers, DEPLOYMENT DELETE, false",
        "designers, TASK TASK_WORK, false",
        "designers, USER UPDATE, false",
        "camunda-admin, DEPLOYMENT DELETE, true",
        "camunda-admin, USER UPDATE, true",
        "strangers, PROCESS_INSTANCE READ, false",
        "strangers, APPLICATION/cockpit ACCESS, false"
    })
    void givesEachRoleItsPartOfTheEngine(String group, String what, boolean may) {
        // given
        start("a good password");
        String[] parts = what.split("[/ ]");
        Resources resource = Resources.valueOf(parts[0]);
        Permissions permission = Permissions.valueOf(parts[parts.length - 1]);
        String id = parts.length == 3 ? parts[1] : Authorization.ANY;

        // when, then
        assertThat(engine.getAuthorizationService()
                        .isUserAuthorized("somebody", List.of(group), permission, resource, id))
                .isEqualTo(may);
    }

    @Test
    void refusesAShortPasswordAndSaysWhichSettingItIs() {
        assertThatThrownBy(() -> new IdentitySettings("short"))
                .hasMessageContaining("slipway.security.admin-password")
                .hasMessageContaining("SLIPWAY_ADMIN_PASSWORD")
                .hasMessageNotContaining("\"short\"");
    }

    private void start(String password) {
        new AdminAccount(engine.getIdentityService(), engine.getAuthorizationService(), new IdentitySettings(password))
                .afterSingletonsInstantiated();
    }

    private boolean signsIn(String password) {
        return new EngineAccounts(engine.getIdentityService())
                .verify("admin", password)
                .isPresent();
    }

    private static ProcessEngine engine() {
        StandaloneInMemProcessEngineConfiguration configuration = new StandaloneInMemProcessEngineConfiguration();
        configuration.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        configuration.setProcessEngineName(UUID.randomUUID().toString());
        configuration.setAuthorizationEnabled(true);
        configuration.setJobExecutorActivate(false);
        configuration.setHistory("none");
        return configuration.buildProcessEngine();
    }
}
