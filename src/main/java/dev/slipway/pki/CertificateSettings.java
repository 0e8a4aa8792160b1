package dev.slipway.pki;

import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.cluster.WorkloadClusterSpec.Certificates;
import dev.slipway.phase.Failure;
import java.time.Duration;
import java.util.List;

/**
 * How new key material is made.
 *
 * @param keyAlgorithm for every key
 * @param caValidity how long new authorities are valid
 * @param clientValidity how long new client certificates are valid
 */
public record CertificateSettings(KeyAlgorithm keyAlgorithm, Duration caValidity, Duration clientValidity) {

    /** RSA 2048, ten years, one year: what kubeadm and Cluster API do. */
    public static final CertificateSettings DEFAULT =
            new CertificateSettings(KeyAlgorithm.RSA_2048, Duration.ofDays(3650), Duration.ofDays(365));

    /**
     * Reads {@code spec.certificates}.
     *
     * @throws Failure INVALID {@code CertificateSettingsInvalid} with the field, if key material made by these settings
     *     could not be used
     */
    public static CertificateSettings of(WorkloadCluster cluster) {
        Certificates spec = cluster.spec().certificates();
        KeyAlgorithm algorithm = KeyAlgorithm.of(spec.keyAlgorithm().name(), spec.keySize())
                .orElseThrow(() -> invalid(
                        cluster,
                        "keySize",
                        spec.keySize() + " is no size of " + spec.keyAlgorithm() + " keys",
                        "one of " + spec.keyAlgorithm().sizes()));
        if (spec.caValidity().compareTo(KeyPairSecret.MINIMUM_LEFT) <= 0) {
            throw invalid(
                    cluster,
                    "caValidity",
                    "an authority must be valid for more than " + KeyPairSecret.MINIMUM_LEFT.toDays() + " days",
                    "more than 720h, for example 87600h");
        }
        if (spec.clientValidity().isNegative() || spec.clientValidity().isZero()) {
            throw invalid(cluster, "clientValidity", "it is not positive", "for example 8760h");
        }
        return new CertificateSettings(algorithm, spec.caValidity(), spec.clientValidity());
    }

    private static Failure invalid(WorkloadCluster cluster, String field, String problem, String example) {
        String path = "spec.certificates." + field;
        return new Failure(
                ProblemCode.CERTIFICATE_SETTINGS_INVALID.errorClass(),
                ProblemCode.CERTIFICATE_SETTINGS_INVALID.code(),
                cluster.display() + ", " + path + ": " + problem + ".",
                List.of("Set " + path + " to " + example),
                null,
                null);
    }
}
