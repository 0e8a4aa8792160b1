package dev.slipway.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Helm's records of its releases: Secrets in the release's namespace. Read live, without Helm. */
final class ReleaseStore {

    private static final int MOST_BYTES = 32 * 1024 * 1024;
    private static final int KEPT_REVISIONS = 10;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The newest revision of a release. */
    Optional<InstalledRelease> find(Workload workload, ReleaseName release) {
        return records(workload, release).stream()
                .max(Comparator.comparingInt(ReleaseStore::revision))
                .map(secret -> read(release, secret));
    }

    /** Takes back that somebody works on it, who was killed: its revision goes, what it changed stays. */
    void forget(Workload workload, InstalledRelease stuck) {
        workload.writer().delete(ResourceType.SECRETS, stuck.release().namespace(), stuck.record(), stuck.recordUid());
    }

    /** Deletes old revisions, never one that is deployed. Helm's library cannot limit them. */
    void prune(Workload workload, ReleaseName release) {
        List<KubeObject> all = records(workload, release).stream()
                .sorted(Comparator.comparingInt(ReleaseStore::revision).reversed())
                .toList();
        all.stream()
                .skip(KEPT_REVISIONS)
                .filter(secret -> !"deployed".equals(secret.labels().get("status")))
                .forEach(secret -> workload.writer()
                        .delete(ResourceType.SECRETS, secret.namespace(), secret.name(), secret.uid()));
    }

    /** Whether any revision says that Slipway installed it. */
    boolean marked(Workload workload, ReleaseName release) {
        return records(workload, release).stream()
                .anyMatch(secret -> !read(release, secret).valuesHash().isEmpty());
    }

    private static List<KubeObject> records(Workload workload, ReleaseName release) {
        return workload.reader()
                .list(ResourceType.SECRETS, release.namespace(), Map.of("owner", "helm", "name", release.name()));
    }

    private static int revision(KubeObject secret) {
        String text = secret.labels().getOrDefault("version", "");
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
    }

    private static InstalledRelease read(ReleaseName release, KubeObject secret) {
        JsonNode json = decode(release, secret);
        JsonNode info = json.path("info");
        JsonNode chart = json.path("chart").path("metadata");
        return new InstalledRelease(
                release,
                revision(secret),
                chart.path("name").asText(),
                chart.path("version").asText(),
                status(info.path("status").asText()),
                Values.hashIn(info.path("description").asText()),
                time(info.path("last_deployed").asText(), secret),
                json.path("manifest").asText(),
                secret.name(),
                secret.uid());
    }

    private static JsonNode decode(ReleaseName release, KubeObject secret) {
        try {
            byte[] stored =
                    Base64.getDecoder().decode(secret.at("data", "release").asText());
            byte[] packed = Base64.getDecoder().decode(stored);
            try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
                return JSON.readTree(in.readNBytes(MOST_BYTES));
            }
        } catch (IOException | IllegalArgumentException e) {
            // The message would quote what may be secret.
            throw new Failure(
                    ErrorClass.INVALID,
                    "ReleaseUnreadable",
                    "Helm's record of the release " + release.display() + ", the Secret " + secret.name()
                            + ", cannot be read.",
                    List.of("Delete that Secret: an earlier revision, or a new installation, takes its place."),
                    null,
                    null);
        }
    }

    private static InstalledRelease.Status status(String text) {
        String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
        for (InstalledRelease.Status status : InstalledRelease.Status.values()) {
            if (status.name().equals(name)) {
                return status;
            }
        }
        return InstalledRelease.Status.UNKNOWN;
    }

    private static Instant time(String text, KubeObject secret) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            return secret.created().orElse(Instant.EPOCH);
        }
    }
}
