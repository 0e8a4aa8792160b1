package dev.slipway.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The control plane that all other tests stand on. */
class ControlPlaneIT {

    @TempDir
    private Path folder;

    @Test
    void answersAsSystemMasters() throws Exception {
        // given
        ControlPlane controlPlane = ControlPlane.shared();
        String namespace = controlPlane.newNamespace("control-plane");
        CoreV1Api core = new CoreV1Api(controlPlane.apiClient());
        V1Secret secret = new V1Secret()
                .metadata(new V1ObjectMeta().name("a").namespace(namespace))
                .putStringDataItem("key", "value");

        // when
        core.createNamespacedSecret(namespace, secret).execute();

        // then
        assertThat(core.readNamespacedSecret("a", namespace).execute().getData())
                .containsEntry("key", "value".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void keepsApiServersOnOneEtcdApartAndWritesAnAuditLog() throws Exception {
        // given
        Path audit = folder.resolve("audit.log");
        ControlPlane first = ControlPlane.shared();
        String namespace = first.newNamespace("apart");

        // when
        try (ControlPlane second =
                ControlPlane.builder().etcd(first.etcd()).auditLog(audit).start()) {

            // then
            assertThat(second.json().get("/api/v1/namespaces/" + namespace)).isEmpty();
            assertThat(first.json().get("/api/v1/namespaces/" + namespace)).isPresent();
        }
        assertThat(Files.readString(audit)).contains("/api/v1/namespaces/" + namespace);
    }

    @Test
    void runsControllersWhenAskedFor() {
        // when
        try (ControlPlane controlPlane = ControlPlane.builder()
                .etcd(ControlPlane.shared().etcd())
                .controllers(true)
                .start()) {

            // then
            assertThat(controlPlane.json().get("/api/v1/namespaces/default/serviceaccounts/default"))
                    .isPresent();
        }
    }
}
