package dev.slipway.imports;

import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.CredentialCandidate;
import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.platform.PlatformNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * All credentials of a cluster and all platform Clusters, as just read live.
 *
 * @param cluster the cluster's name
 * @param credentials those that belong to it, and whatever has the name that its credential shall have
 * @param clusters all platform Clusters
 */
record CredentialInventory(String cluster, List<ClusterCredential> credentials, List<PlatformCluster> clusters) {

    CredentialInventory {
        credentials = List.copyOf(credentials);
        clusters = List.copyOf(clusters);
    }

    static CredentialInventory read(ImportScene scene) {
        return read(scene.platform(), scene.name());
    }

    static CredentialInventory read(Platform platform, String cluster) {
        List<ClusterCredential> credentials = new ArrayList<>(platform.credentialsOf(cluster));
        String name = PlatformNames.credential(cluster);
        if (credentials.stream().noneMatch(credential -> credential.name().equals(name))) {
            platform.credential(name).ifPresent(credentials::add);
        }
        // After the credentials: whoever refers to one of them in between is seen.
        return new CredentialInventory(cluster, credentials, platform.clusters());
    }

    /** The platform's record of the cluster. */
    Optional<PlatformCluster> record() {
        return clusters.stream().filter(record -> record.name().equals(cluster)).findFirst();
    }

    Optional<ClusterCredential> named(String name) {
        return credentials.stream()
                .filter(credential -> credential.name().equals(name))
                .findFirst();
    }

    /** The credentials with what a proof of each says. */
    List<CredentialCandidate> candidates(Function<ClusterCredential, Proof> proof) {
        return credentials.stream()
                .map(credential -> credential.candidate(cluster, clusters, proof.apply(credential)))
                .toList();
    }
}
