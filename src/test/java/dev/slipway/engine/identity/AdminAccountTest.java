package dev.slipway.engine.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.camunda.bpm.engine.ProcessEngine;
import org.camunda.bpm.engine.authorization.Permissions;
import org.camunda.bpm.engine.authorization.Resources;
import org.camunda.bpm.engine.impl.cfg.StandaloneInMemProcessEngineConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
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

    @Test
    void letsOperatorsWorkButNotDeployOrManageUsers() {
        // given
        start("a good password");

        // when, then
        assertThat(operatorMay(Permissions.TASK_WORK, Resources.TASK)).isTrue();
        assertThat(operatorMay(Permissions.READ, Resources.PROCESS_INSTANCE)).isTrue();
        assertThat(operatorMay(Permissions.CREATE, Resources.DEPLOYMENT)).isFalse();
        assertThat(operatorMay(Permissions.UPDATE, Resources.USER)).isFalse();
        assertThat(operatorMay(Permissions.CREATE, Resources.AUTHORIZATION)).isFalse();
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

    private boolean operatorMay(Permissions permission, Resources resource) {
        return engine.getAuthorizationService()
                .isUserAuthorized("somebody", List.of("operators"), permission, resource);
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
