package dev.slipway.diagnosis;

import static dev.slipway.diagnosis.DiagnosisScene.CAPI;
import static dev.slipway.diagnosis.DiagnosisScene.CONTROL_PLANE;
import static dev.slipway.diagnosis.DiagnosisScene.conditions;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.slipway.controlplane.Pki;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kernel.PhaseState;
import dev.slipway.phase.ClusterRef;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Secrets that lie in a cluster's objects, or that others wrote where they do not belong, stay there. */
@ExtendWith(OutputCaptureExtension.class)
class DiagnosisSecretsIT {

    private static final String TOKEN = "Bearer PLANTED-token-0123456789";
    private static final String KEY =
            "-----BEGIN RSA PRIVATE KEY----- PLANTEDkeyMIIEpAIBAAKCAQEA -----END RSA PRIVATE KEY-----";
    private static final String URL = "https://admin:PLANTED-password@10.0.0.1:6443/api";
    private static final String ALL = TOKEN + " and " + KEY + " and " + URL;

    private final DiagnosisScene scene = DiagnosisScene.healthy();

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void noSecretOfAWellClusterIsShownOrLogged(CapturedOutput output) throws Exception {
        // when
        Diagnosis diagnosis = scene.diagnose();

        // then
        assertThat(diagnosis.findings()).hasSizeGreaterThan(10);
        List<String> secrets = new ArrayList<>();
        for (String name : List.of("c1-ca", "c1-etcd", "c1-proxy", "c1-sa", "c1-kubeconfig")) {
            scene.lab.get("", "Secret", name).at("data").forEach(value -> secrets.add(value.asText()));
        }
        assertNothingOf(secrets, everythingShown(diagnosis, output));
    }

    @Test
    void secretsInForeignWordsAreBlankedAndTheRestOfThemStays(CapturedOutput output) throws Exception {
        // given
        scene.lab.patchStatus(
                CAPI,
                "Cluster",
                "c1",
                conditions(scene.condition("InfrastructureReady", "False", "LoginFailed", "login failed: " + ALL)));
        scene.lab.patchStatus(
                CONTROL_PLANE,
                "KubeadmControlPlane",
                "c1-cp",
                conditions(scene.condition("Available", "False", "X", "cp failed: " + URL)));
        scene.lab.patchStatus(
                CAPI, "Machine", "c1-cp-0", conditions(scene.condition("Ready", "False", "X", "machine: " + KEY)));
        scene.node("c1-node-0", "False", "kubelet says " + TOKEN);
        scene.event("Machine", "c1-cp-0", "FailedCreate", "cannot create: " + ALL, 1, 1);
        scene.flows.start("init", new ClusterRef(scene.namespace(), "c1", "other"), "slipway", null);
        scene.flows.phases("flow-2", FlowsInMemory.phase("Admit", PhaseState.BLOCKED, 1, "X", "flow: " + ALL));

        // when
        Diagnosis diagnosis = scene.diagnose();

        // then
        String shown = everythingShown(diagnosis, output);
        assertNothingOf(List.of("PLANTED"), shown);
        assertThat(shown)
                .contains(
                        "login failed: Bearer [blanked] and [PEM block blanked] and https://[blanked]@10.0.0.1:6443/api",
                        "cp failed: https://[blanked]@",
                        "machine: [PEM block blanked]",
                        "kubelet says Bearer [blanked]",
                        "cannot create: Bearer [blanked]",
                        "flow: Bearer [blanked]");
    }

    @Test
    void secretsInDamagedSecretsAreNotQuoted(CapturedOutput output) throws Exception {
        // given
        scene.keyPair("ca", new Pki.Pem("PLANTED no certificate", KEY));
        scene.keyPair("etcd", new Pki.Pem(Pki.authority("x").certificate(), "-----BEGIN PLANTED-----\nPLANTED\n"));
        scene.keyPair("sa", new Pki.Pem("-----BEGIN CERTIFICATE-----\nPLANTED\n-----END CERTIFICATE-----", KEY));
        List<String> kubeconfigs = List.of(
                "users: [ PLANTED: {",
                "PLANTED",
                kubeconfig("server: " + URL),
                kubeconfig("server: https://127.0.0.1:1, certificate-authority-data: UExBTlRFRA=="),
                kubeconfig("server: https://127.0.0.1:1, insecure-skip-tls-verify: true"));
        for (String kubeconfig : kubeconfigs) {
            scene.kubeconfigText(kubeconfig);

            // when
            Diagnosis diagnosis = scene.diagnose();

            // then
            assertNothingOf(List.of("PLANTED", "UExBTlRFR"), everythingShown(diagnosis, output));
            assertThat(diagnosis.findings())
                    .filteredOn(finding -> finding.object().equals("secret/c1-kubeconfig"))
                    .singleElement()
                    .returns("KubeconfigInvalid", Finding::code);
        }
    }

    private static String kubeconfig(String cluster) {
        return "current-context: c\nclusters: [{name: c, cluster: {" + cluster + "}}]\n"
                + "contexts: [{name: c, context: {cluster: c, user: u}}]\n"
                + "users: [{name: u, user: {token: PLANTED-token}}]\n";
    }

    private static String everythingShown(Diagnosis diagnosis, CapturedOutput output) throws JsonProcessingException {
        String json =
                JsonMapper.builder().addModule(new JavaTimeModule()).build().writeValueAsString(diagnosis);
        return String.join(
                "\n",
                json,
                Page.text(diagnosis),
                Page.markdown(diagnosis),
                Page.brief(diagnosis, 3000),
                output.toString());
    }

    private static void assertNothingOf(List<String> secrets, String shown) {
        assertThat(secrets).isNotEmpty();
        for (String secret : secrets) {
            assertThat(shown).doesNotContain(secret);
        }
    }
}
