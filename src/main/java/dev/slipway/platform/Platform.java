package dev.slipway.platform;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The platform's records as they are served now: live reads, creates, and patches that name the UID.
 *
 * <p>Failures of calls come by class; a record that was replaced in between is IDENTITY {@code UidChanged}.
 */
public final class Platform {

    /** The first phase of a record; the platform's controller takes over from there. */
    private static final String FIRST_PHASE = "Initializing";

    private static final int STATUS_TRIES = 3;

    private final LiveReader reader;
    private final KubeWriter writer;
    private final ResourceType clusterType;
    private final ResourceType credentialType;
    private final boolean statusSubresource;
    private final boolean finalizeSubresource;

    Platform(
            LiveReader reader,
            KubeWriter writer,
            ResourceType clusterType,
            ResourceType credentialType,
            boolean statusSubresource,
            boolean finalizeSubresource) {
        this.reader = reader;
        this.writer = writer;
        this.clusterType = clusterType;
        this.credentialType = credentialType;
        this.statusSubresource = statusSubresource;
        this.finalizeSubresource = finalizeSubresource;
    }

    /** Whether a create drops the status, so that it must be written by a second call. */
    public boolean hasStatusSubresource() {
        return statusSubresource;
    }

    /** Whether the platform's own finalizers are emptied through {@code finalize}: an aggregated API server has it. */
    public boolean hasFinalizeSubresource() {
        return finalizeSubresource;
    }

    public Optional<PlatformCluster> cluster(String name) {
        return reader.get(clusterType, "", name).map(PlatformCluster::new);
    }

    public List<PlatformCluster> clusters() {
        return reader.list(clusterType, "", Map.of()).stream()
                .map(PlatformCluster::new)
                .toList();
    }

    public Optional<ClusterCredential> credential(String name) {
        return reader.get(credentialType, "", name).map(ClusterCredential::new);
    }

    /** All credentials of which a label or the field {@code clusterName} names that cluster, each once. */
    public List<ClusterCredential> credentialsOf(String cluster) {
        // One list of all: lists by label and by field are of different moments and may both miss one in between.
        return reader.list(credentialType, "", Map.of()).stream()
                .map(ClusterCredential::new)
                .filter(credential -> credential.belongsTo(cluster))
                .toList();
    }

    /**
     * Makes the record of a cluster, without addresses.
     *
     * @return empty if one of that name exists: read it live
     * @throws Failure INVALID {@code NameInvalid}; IDENTITY {@code NameChanged}, also for the record of an earlier try
     */
    public Optional<PlatformCluster> create(PlatformCluster.Spec spec) {
        PlatformNames.require(spec.name());
        Optional<PlatformCluster> there = Optional.empty();
        // A platform that renames would make one more at each try.
        for (PlatformCluster cluster : clusters()) {
            boolean ofThisFlow = cluster.flow().filter(spec.flow()::equals).isPresent();
            if (ofThisFlow && !cluster.deleting()) {
                PlatformNames.requireSame(spec.name(), cluster.name());
            }
            there = cluster.name().equals(spec.name()) ? Optional.of(cluster) : there;
        }
        if (there.isPresent()) {
            return Optional.empty();
        }
        Optional<KubeObject> stored = writer.create(clusterType, spec.manifest(clusterType));
        stored.ifPresent(object -> PlatformNames.requireSame(spec.name(), object.name()));
        return stored.map(PlatformCluster::new);
    }

    /** Makes the credential of a cluster; empty if one of that name exists: read it live. */
    public Optional<ClusterCredential> create(ClusterCredential.Spec spec) {
        PlatformNames.require(spec.cluster());
        return writer.create(credentialType, spec.manifest(credentialType)).map(ClusterCredential::new);
    }

    /** Merges the fields into the record if it still has the UID. */
    public PlatformCluster patch(PlatformCluster cluster, ObjectNode fields) {
        return new PlatformCluster(
                writer.mergePatch(clusterType, "", cluster.name(), preconditioned(fields, cluster.uid())));
    }

    /** Brings what import writes into an adopted credential; writes nothing if it is there already. */
    public ClusterCredential update(ClusterCredential credential, ClusterCredential.Spec spec) {
        return credential.patchTo(spec).map(patch -> patch(credential, patch)).orElse(credential);
    }

    /** Makes the record the owner of the credential; writes nothing if it is already. */
    public ClusterCredential own(ClusterCredential credential, PlatformCluster owner) {
        return credential
                .patchToOwner(owner)
                .map(patch -> patch(credential, patch))
                .orElse(credential);
    }

    /** Takes the record off the credential's owners, so that the credential outlives it. */
    public ClusterCredential disown(ClusterCredential credential, PlatformCluster owner) {
        return credential
                .patchWithoutOwner(owner)
                .map(patch -> patch(credential, patch))
                .orElse(credential);
    }

    /** Lets the record refer to that credential; writes nothing if it does already. */
    public PlatformCluster refer(PlatformCluster cluster, String credential) {
        if (cluster.credential().filter(credential::equals).isPresent()) {
            return cluster;
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.putObject("spec").putObject("clusterCredentialRef").put("name", credential);
        return patch(cluster, fields);
    }

    /** Deletes the record if it still has that UID; an absent one is fine. */
    public void delete(PlatformCluster cluster) {
        writer.delete(clusterType, "", cluster.name(), cluster.uid());
    }

    /** Takes everything off a record that is being deleted which could hold it; what stands for it elsewhere stays. */
    public void force(PlatformCluster cluster) {
        cluster.object()
                .finalizers()
                .forEach(finalizer -> writer.removeFinalizer(clusterType, "", cluster.name(), finalizer));
        Optional<PlatformCluster> held =
                cluster(cluster.name()).filter(now -> now.uid().equals(cluster.uid()));
        if (finalizeSubresource) {
            held.filter(now -> !now.platformFinalizers().isEmpty())
                    .ifPresent(now -> writer.emptySpecFinalizers(clusterType, now.object()));
        }
    }

    /** Deletes the credential if it still has that UID; an absent one is fine. */
    public void delete(CredentialCandidate credential) {
        writer.delete(credentialType, "", credential.name(), credential.uid());
    }

    /**
     * Brings the address into the record's status, and the first phase if there is none.
     *
     * <p>Another address of the same type is replaced, all other fields are left. Writes nothing if it is there.
     *
     * @return the record as read after the write
     * @throws Failure TRANSIENT {@code StatusNotStored} if the server drops it; CONTENTION if somebody else wrote in
     *     between; IDENTITY {@code ClusterReplaced} if the record is gone or another one
     */
    public PlatformCluster ensureAddress(PlatformCluster cluster, PlatformCluster.Address address) {
        for (int attempt = 0; ; attempt++) {
            PlatformCluster now = same(cluster);
            boolean complete = now.addresses().contains(address) && now.phase().isPresent();
            if (complete) {
                return now;
            }
            if (attempt == STATUS_TRIES) {
                throw Failure.of(
                        ErrorClass.TRANSIENT,
                        "StatusNotStored",
                        "The server accepts status.addresses and status.phase of the " + now.display()
                                + ", but does not keep them");
            }
            patchStatus(now, address);
        }
    }

    private void patchStatus(PlatformCluster now, PlatformCluster.Address address) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        // The list is replaced as a whole: only the version that was read may get it.
        fields.putObject("metadata").put("resourceVersion", now.object().resourceVersion());
        ObjectNode status = fields.putObject("status");
        if (now.phase().isEmpty()) {
            status.put("phase", FIRST_PHASE);
        }
        ArrayNode addresses = status.putArray("addresses");
        now.object().at("status", "addresses").forEach(node -> {
            if (!node.path("type").asText().equals(address.type())) {
                addresses.add(node);
            }
        });
        address.put(addresses.addObject());
        ObjectNode patch = preconditioned(fields, now.uid());
        if (statusSubresource) {
            writer.mergePatchStatus(clusterType, "", now.name(), patch);
        } else {
            writer.mergePatch(clusterType, "", now.name(), patch);
        }
    }

    private PlatformCluster same(PlatformCluster cluster) {
        return cluster(cluster.name())
                .filter(now -> now.uid().equals(cluster.uid()))
                .orElseThrow(() -> new Failure(
                        ErrorClass.IDENTITY,
                        "ClusterReplaced",
                        "The " + cluster.display() + " (UID " + cluster.uid() + ") is gone, or was made anew",
                        List.of("Find out who deleted it; then retry from EnsurePlatformCluster"),
                        null,
                        null));
    }

    private ClusterCredential patch(ClusterCredential credential, ObjectNode patch) {
        return new ClusterCredential(
                writer.mergePatch(credentialType, "", credential.name(), preconditioned(patch, credential.uid())));
    }

    private static ObjectNode preconditioned(ObjectNode fields, String uid) {
        ObjectNode patch = fields.deepCopy();
        patch.withObjectProperty("metadata").put("uid", uid);
        return patch;
    }
}
