package dev.slipway.workitem;

import dev.slipway.cluster.WorkItemSpec.CaRef;
import dev.slipway.cluster.WorkItemSpec.Chart;
import dev.slipway.cluster.WorkItemSpec.CredentialsRef;
import dev.slipway.cluster.WorkItemSpec.ItemManifests;
import dev.slipway.cluster.WorkItemSpec.ValuesFrom;
import dev.slipway.cluster.WorkItemSpec.ValuesKind;
import dev.slipway.helm.ChartAccess;
import dev.slipway.helm.ChartSource;
import dev.slipway.helm.Values;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Puts together what a work item is made of: the chart with its access, the values, the manifests. */
@Component
public class ItemInputs {

    /** Registries and repositories that take a token do not look at the user. */
    private static final String TOKEN_USER = "token";

    private final LiveReader reader;
    private final ManifestDownload download;

    public ItemInputs(LiveReader reader, ManifestDownload download) {
        this.reader = reader;
        this.download = download;
    }

    /**
     * The chart as declared; its version may be a constraint.
     *
     * @throws Failure INVALID with the field; TRANSIENT {@code InputAbsent} while a Secret or ConfigMap is absent
     */
    public ChartSource chart(WorkItem item, Chart chart) {
        String authorities = authorities(item, "spec.chart", chart.caSecretRef(), chart.caConfigMapRef());
        String version = chart.version() == null ? "" : chart.version();
        return new ChartSource(
                chart.repository(), chart.name(), version, access(item, chart.credentialsSecretRef(), authorities));
    }

    /**
     * The values, the weakest first.
     *
     * @throws Failure INVALID with the field; TRANSIENT {@code InputAbsent} while a Secret or ConfigMap is absent
     */
    public Values values(WorkItem item) {
        List<Values.Part> parts = new ArrayList<>();
        List<ValuesFrom> sources = item.spec().valuesFrom();
        for (int i = 0; i < sources.size(); i++) {
            ValuesFrom source = sources.get(i);
            boolean secret = source.kind() == ValuesKind.Secret;
            Place place = new Place("spec.valuesFrom[" + i + "]", source.kind().name(), source.name(), source.key());
            text(item, place, source.optional())
                    .ifPresent(text -> parts.add(new Values.Part(place.display(item), text, secret)));
        }
        if (item.spec().values() != null) {
            // JSON is YAML.
            parts.add(new Values.Part("spec.values", item.spec().values().toString(), false));
        }
        return new Values(parts);
    }

    /**
     * The manifests.
     *
     * @throws Failure INVALID with the field; TRANSIENT {@code InputAbsent} while a ConfigMap is absent; else as
     *     {@link ManifestDownload#fetch}
     */
    public String manifests(WorkItem item, ItemManifests manifests) {
        if (manifests.inline() != null) {
            return manifests.inline();
        }
        if (manifests.configMapRef() != null) {
            Place place = new Place(
                    "spec.manifests.configMapRef",
                    "ConfigMap",
                    manifests.configMapRef().name(),
                    manifests.configMapRef().key());
            return text(item, place, false).orElse("");
        }
        String url = manifests.url() == null ? "" : manifests.url();
        String sha256 = manifests.sha256() == null ? "" : manifests.sha256();
        String authorities = authorities(item, "spec.manifests", manifests.caSecretRef(), manifests.caConfigMapRef());
        return download.fetch(item.display(), url, sha256, authorities);
    }

    /** What messages call the manifests. */
    public static String origin(WorkItem item) {
        return "the manifests of " + item.display();
    }

    private ChartAccess access(WorkItem item, @Nullable CredentialsRef ref, String authorities) {
        if (ref == null) {
            return new ChartAccess("", "", authorities);
        }
        Place place = new Place("spec.chart.credentialsSecretRef", "Secret", ref.name(), "username");
        KubeObject secret = object(item, place).orElseThrow(() -> absent(item, place));
        String user = decoded(item, place, secret, "username").orElse(TOKEN_USER);
        String password = decoded(item, place, secret, "token")
                .or(() -> decoded(item, place, secret, "password"))
                .orElseThrow(() -> invalid(
                        item,
                        place.field(),
                        "the Secret " + item.namespace() + "/" + ref.name() + " has neither the key password nor token",
                        "Put username and password, or token, into that Secret"));
        return new ChartAccess(user, password.strip(), authorities);
    }

    private String authorities(WorkItem item, String field, @Nullable CaRef secret, @Nullable CaRef configMap) {
        if (secret != null) {
            return text(item, new Place(field + ".caSecretRef", "Secret", secret.name(), secret.key()), false)
                    .orElse("");
        }
        if (configMap != null) {
            Place place = new Place(field + ".caConfigMapRef", "ConfigMap", configMap.name(), configMap.key());
            return text(item, place, false).orElse("");
        }
        return "";
    }

    /** Where a text stands: the field that names it, the object, and its key. */
    private record Place(String field, String kind, String name, String key) {

        boolean secret() {
            return kind.equals("Secret");
        }

        String display(WorkItem item) {
            return kind + " " + item.namespace() + "/" + name + ", key " + key;
        }
    }

    private Optional<KubeObject> object(WorkItem item, Place place) {
        ResourceType type = place.secret() ? ResourceType.SECRETS : ResourceType.CONFIG_MAPS;
        return reader.get(type, item.namespace(), place.name());
    }

    private Optional<String> text(WorkItem item, Place place, boolean optional) {
        Optional<KubeObject> object = object(item, place);
        if (object.isEmpty()) {
            if (optional) {
                return Optional.empty();
            }
            throw absent(item, place);
        }
        Optional<String> text = place.secret()
                ? decoded(item, place, object.get(), place.key())
                : object.get().text("data", place.key());
        if (text.isEmpty() && !optional) {
            throw invalid(
                    item,
                    place.field(),
                    "the " + place.kind() + " " + item.namespace() + "/" + place.name() + " has no key '" + place.key()
                            + "'",
                    "Add the key, or correct " + place.field() + ".key");
        }
        return text;
    }

    private static Optional<String> decoded(WorkItem item, Place place, KubeObject secret, String key) {
        try {
            return secret.text("data", key)
                    .map(data -> new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw invalid(item, place.field(), "the key '" + key + "' is no base64", "Correct the Secret");
        }
    }

    private static Failure absent(WorkItem item, Place place) {
        return new Failure(
                ErrorClass.TRANSIENT,
                "InputAbsent",
                item.display() + ": " + place.field() + ": the " + place.kind() + " " + item.namespace() + "/"
                        + place.name() + " does not exist (yet)",
                List.of("Make that " + place.kind() + ", or correct " + place.field()),
                null,
                null);
    }

    private static Failure invalid(WorkItem item, String field, String what, String action) {
        return new Failure(
                ErrorClass.INVALID,
                "InputInvalid",
                item.display() + ": " + field + ": " + what,
                List.of(action),
                null,
                null);
    }
}
