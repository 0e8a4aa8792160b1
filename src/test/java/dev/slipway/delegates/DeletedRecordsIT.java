package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.deletion.DeletionLab;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.imports.ImportLab;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.receipt.Fate;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The platform's record, the credentials and the secrets of a cluster that is deleted; and webhooks in the way. */
class DeletedRecordsIT {

    private static final String RECORD = "ensurePlatformClusterGone";
    private static final String CREDENTIALS = "ensureCredentialsGone";
    private static final String WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/";

    private final DeletionLab lab = DeletionLab.declared();

    @AfterEach
    void close() {
        lab.close();
    }

    @Test
    @Tag("T17")
    void noCredentialSurvivesByEitherLabelOrByTheField() {
        // given
        lab.imported().mode(DeletionMode.FORGET);
        String other = "{\"metadata\": {\"labels\": {\"cluster.x-k8s.io/cluster-name\": null,"
                + " \"tkestack.io/cluster-name\": \"" + lab.name() + "\"}}, \"clusterName\": \"\"}";
        lab.imports().foreign("cc-label-" + lab.name(), "t");
        lab.imports().foreign("cc-field-" + lab.name(), "t");
        lab.imports().foreign("cc-theirs-" + lab.name(), "t");
        patch("cc-label-" + lab.name(), other);
        patch("cc-field-" + lab.name(), "{\"metadata\": {\"labels\": {\"cluster.x-k8s.io/cluster-name\": null}}}");
        patch("cc-theirs-" + lab.name(), "{\"metadata\": {\"labels\": {\"tkestack.io/cluster-name\": \"another\"}}}");

        // when
        lab.until(CREDENTIALS).done(CREDENTIALS);

        // then: but for one that names another cluster as well
        for (String gone : new String[] {"cc-", "cc-label-", "cc-field-"}) {
            assertThat(lab.imports().credential(gone + lab.name())).isEmpty();
            assertThat(lab.fate("ClusterCredential " + gone + lab.name())).contains(Fate.DELETED);
        }
        assertThat(lab.imports().credential("cc-theirs-" + lab.name())).isPresent();
        assertThat(lab.fate("ClusterCredential cc-theirs-" + lab.name())).contains(Fate.KEPT);
    }

    @Test
    @Tag("T38")
    void theRecordOfAnotherRegistrationStaysWithItsCredential() {
        // given: the record of that name is another Cluster's
        lab.imported().mode(DeletionMode.FORGET);
        lab.management()
                .merge(
                        lab.imports().recordPath(),
                        "{\"metadata\": {\"annotations\": {\"slipway.dev/flow\": \"elsewhere/" + lab.name()
                                + "@1\"}}}");

        // when
        lab.until("ensureGone").done("ensureGone");

        // then
        assertThat(lab.imports().record()).isPresent();
        assertThat(lab.imports().credentials()).hasSize(1);
        assertThat(lab.fate("platform Cluster " + lab.name())).contains(Fate.KEPT);
        assertThat(lab.workloadCluster()).isEmpty();
    }

    @Test
    @Tag("T38")
    void aWorkloadClusterWhoseNameAnotherClusterHasTakesNothingOfThatOneAlong() {
        // given: the Cluster was there first, is imported, and was not made for the WorkloadCluster
        lab.imported();
        lab.management().merge(lab.imports().clusterPath(), "{\"metadata\": {\"ownerReferences\": null}}");
        lab.secret(lab.name() + "-ca", "cluster.x-k8s.io/secret", lab.name());
        lab.descendant("Machine", "m-1");

        // when
        lab.mode(DeletionMode.FULL).until("ensureGone").done("ensureGone");

        // then
        assertThat(lab.workloadCluster()).isEmpty();
        assertThat(lab.cluster().orElseThrow().at("/metadata/deletionTimestamp").isMissingNode())
                .isTrue();
        assertThat(lab.cluster().orElseThrow().at("/metadata/finalizers").toString())
                .contains("capi.cpaas.io/imported");
        assertThat(lab.imports().record()).isPresent();
        assertThat(lab.imports().credentials()).hasSize(1);
        assertThat(lab.secret(lab.name() + "-ca")).isPresent();
        assertThat(lab.secret(lab.name() + "-kubeconfig").orElseThrow().at("/metadata/finalizers"))
                .isEmpty();
        assertThat(lab.management().get(lab.descendants("Machine") + "/m-1")).isPresent();
    }

    @Test
    void aRecordThatIsHeldIsWaitedForAskedAboutAndReleasedByForceOnly() {
        // given
        lab.imported().mode(DeletionMode.FORGET);
        lab.management()
                .merge(lab.imports().recordPath(), "{\"metadata\": {\"finalizers\": [\"platform.example.com/hold\"]}}");
        lab.until(RECORD);

        // then
        assertThat(lab.run(RECORD)).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("WaitingForPlatformClusterGone");
            assertThat(waiting.message()).contains("platform.example.com/hold");
        });
        lab.later(Duration.ofMinutes(31));
        assertThat(lab.run(RECORD)).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> assertThat(blocked.code())
                .isEqualTo("NoProgress"));
        assertThat(lab.imports().record()).isPresent();
        assertThat(lab.imports().credentials()).hasSize(1);

        // when
        lab.force("EnsurePlatformClusterGone", lab.name()).done(RECORD);

        // then
        assertThat(lab.imports().record()).isEmpty();
        assertThat(lab.fate("platform Cluster " + lab.name())).contains(Fate.RELEASED);
    }

    @Test
    @Tag("T52")
    void aPolicyThatDeniesTheReleaseIsNamed() {
        // given
        lab.mode(DeletionMode.FORGET).until("ensureGone");
        String policy = "deny-" + lab.name();
        lab.management()
                .create(
                        WEBHOOKS + "validatingadmissionpolicies",
                        ImportLab.yaml(
                                """
                                apiVersion: admissionregistration.k8s.io/v1
                                kind: ValidatingAdmissionPolicy
                                metadata: {name: %s}
                                spec:
                                  failurePolicy: Fail
                                  matchConstraints:
                                    resourceRules:
                                      - {apiGroups: [slipway.dev], apiVersions: ["*"], operations: [UPDATE], resources: [workloadclusters]}
                                  validations: [{expression: "false", message: the cluster does not answer}]
                                """
                                        .formatted(policy)));
        lab.management()
                .create(
                        WEBHOOKS + "validatingadmissionpolicybindings",
                        ImportLab.yaml(
                                """
                                apiVersion: admissionregistration.k8s.io/v1
                                kind: ValidatingAdmissionPolicyBinding
                                metadata: {name: %1$s}
                                spec:
                                  policyName: %1$s
                                  validationActions: [Deny]
                                  matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %2$s}}}
                                """
                                        .formatted(policy, lab.namespace())));
        awaitRefused();

        // when
        Outcome outcome = lab.run("ensureGone");

        // then: refused, with its name, and the object is kept
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Retry.class, retry -> {
            assertThat(retry.failure().errorClass()).isEqualTo(ErrorClass.ADMISSION);
            assertThat(retry.failure().code()).isEqualTo("AdmissionDenied");
            assertThat(retry.failure().message()).contains(policy);
        });
        assertThat(lab.workloadCluster()).isPresent();

        // when
        lab.management().delete(WEBHOOKS + "validatingadmissionpolicybindings/" + policy);
        lab.management().delete(WEBHOOKS + "validatingadmissionpolicies/" + policy);

        // then: it goes on, with a receipt that ended once
        Awaitility.await().until(() -> lab.run("ensureGone") instanceof Outcome.Done);
        assertThat(lab.workloadCluster()).isEmpty();
    }

    @Test
    @Tag("T54")
    void aWebhookWithoutAServiceIsNamed() {
        // given
        lab.mode(DeletionMode.FORGET).until("ensureGone");
        String webhook = "gone-" + lab.name();
        lab.management()
                .create(
                        WEBHOOKS + "validatingwebhookconfigurations",
                        ImportLab.yaml(
                                """
                                apiVersion: admissionregistration.k8s.io/v1
                                kind: ValidatingWebhookConfiguration
                                metadata: {name: %1$s}
                                webhooks:
                                  - name: %1$s.example.com
                                    clientConfig: {service: {namespace: nowhere, name: nobody}}
                                    rules:
                                      - {apiGroups: [slipway.dev], apiVersions: ["*"], operations: [UPDATE], resources: [workloadclusters]}
                                    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %2$s}}
                                    failurePolicy: Fail
                                    sideEffects: None
                                    admissionReviewVersions: [v1]
                                """
                                        .formatted(webhook, lab.namespace())));
        awaitRefused();

        // then
        assertThat(lab.run("ensureGone")).isInstanceOfSatisfying(Outcome.Retry.class, retry -> {
            assertThat(retry.failure().errorClass().triesBeforeBlocked()).isEqualTo(3);
            assertThat(retry.failure().code()).isEqualTo("AdmissionUnreachable");
            assertThat(retry.failure().message()).contains(webhook + ".example.com");
            assertThat(retry.failure().actions()).isNotEmpty();
        });
        lab.management().delete(WEBHOOKS + "validatingwebhookconfigurations/" + webhook);
    }

    /** Admission takes notice of its configuration a moment after it was stored. */
    private void awaitRefused() {
        Awaitility.await().until(() -> {
            try {
                lab.management()
                        .merge(
                                lab.workloadClusterPath(),
                                "{\"metadata\": {\"annotations\": {\"probe\": \"" + System.nanoTime() + "\"}}}");
                return false;
            } catch (RuntimeException refused) {
                return true;
            }
        });
    }

    private void patch(String credential, String patch) {
        lab.management().merge(lab.imports().credentialPath(credential), patch);
    }
}
