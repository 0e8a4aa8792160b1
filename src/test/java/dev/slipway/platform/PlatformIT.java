package dev.slipway.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.Wire;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.platform.CredentialCandidate.Use;
import dev.slipway.platform.PlatformCluster.Address;
import io.kubernetes.client.openapi.ApiClient;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import org.junit.jupiter.api.Test;

/** The platform's records on a real API server. */
class PlatformIT {

    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String PATH = "/apis/platform.tkestack.io/v1/";
    private static final String PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    private static final String TOKEN = "s3cret-token";

    private final JsonApi json = PlatformLab.plane().json();
    private final KubeClient client = PlatformLab.client();
    private final Platform platform = PlatformLab.open(client);
    private final String name = "c" + NAMES.incrementAndGet();

    // Whether there is a platform

    @Test
    void findsThePlatformAndItsSubresources() {
        assertThat(platform.hasStatusSubresource()).isTrue();
        assertThat(platform.hasFinalizeSubresource()).isFalse();
        assertThat(PlatformLab.api(client, PlatformSettings.Api.AUTO).open()).isPresent();
    }

    @Test
    void isSwitchedOffEvenWhereItIsServed() {
        assertThat(PlatformLab.api(client, PlatformSettings.Api.OFF).open()).isEmpty();
    }

    @Test
    void anAbsentPlatformIsNoneOrAnErrorAsTheSettingSays() {
        // given
        KubeClient without = KubeClient.of(ControlPlane.shared().apiClient());

        // then
        assertThat(PlatformLab.api(without, PlatformSettings.Api.AUTO).open()).isEmpty();
        assertThatThrownBy(() ->
                        PlatformLab.api(without, PlatformSettings.Api.REQUIRED).open())
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
                    assertThat(failure.code()).isEqualTo("PlatformAbsent");
                    assertThat(failure.message())
                            .isEqualTo("The management cluster does not serve Cluster and ClusterCredential of"
                                    + " platform.tkestack.io");
                    assertThat(failure.actions().get(1)).contains("slipway.platform.api");
                });
    }

    @Test
    void halfAPlatformIsAnErrorEvenWhereNoneIsRequired() {
        // given
        ApiClient api = PlatformLab.plane().apiClient();
        Wire.into(api).interfere((request, chain) -> withoutCredentials(chain.proceed(request)));

        // then
        assertThatThrownBy(() -> PlatformLab.api(KubeClient.of(api), PlatformSettings.Api.AUTO)
                        .open())
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.code()).isEqualTo("PlatformAbsent");
                    assertThat(failure.message())
                            .isEqualTo("The management cluster does not serve ClusterCredential of"
                                    + " platform.tkestack.io");
                });
    }

    // The record of a cluster

    @Test
    void makesTheRecordOnceWithItsCredentialAlreadyReferred() {
        // when
        Optional<PlatformCluster> first = platform.create(cluster());
        Optional<PlatformCluster> second = platform.create(cluster());

        // then
        assertThat(second).isEmpty();
        assertThat(first).hasValueSatisfying(cluster -> {
            assertThat(cluster.imported()).isTrue();
            assertThat(cluster.credential()).contains("cc-" + name);
            assertThat(cluster.identity()).contains("id-" + name);
            assertThat(cluster.flow()).contains("team/" + name + "@1");
            assertThat(cluster.registration()).isEqualTo(new WorkloadIdentity.Registration(name, "id-" + name));
        });
        assertThat(platform.cluster(name)).map(PlatformCluster::uid).isEqualTo(first.map(PlatformCluster::uid));
    }

    @Test
    void refusesAReservedNameBeforeAnyCall() {
        assertThatThrownBy(() -> platform.create(
                        new PlatformCluster.Spec("global", "", "Global", "cc-global", "id", "team/global@1")))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.code()).isEqualTo("NameInvalid"));
    }

    @Test
    void aRecordThatThePlatformRenamedIsFoundAgainAndNoOtherIsMade() {
        // given
        ApiClient api = PlatformLab.plane().apiClient();
        Wire.into(api).interfere((request, chain) -> chain.proceed(renamed(request)));
        Platform renaming = PlatformLab.open(KubeClient.of(api));

        // then
        for (Platform tried : List.of(renaming, renaming, platform)) {
            assertThatThrownBy(() -> tried.create(cluster())).isInstanceOfSatisfying(Failure.class, failure -> {
                assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
                assertThat(failure.code()).isEqualTo("NameChanged");
                assertThat(failure.message()).contains("'" + name + "'", "'" + name + "x'");
            });
        }
        assertThat(platform.cluster(name)).isEmpty();
        assertThat(platform.cluster(name + "x")).isPresent();
    }

    @Test
    void unknownFieldsSurviveAPatchAndAnotherUidIsRefused() {
        // given
        json.create(
                PATH + "clusters",
                parse("apiVersion: platform.tkestack.io/v1\nkind: Cluster\nmetadata: {name: " + name + "}\n"
                        + "spec: {type: Imported, networkArgs: {mtu: \"1400\"}}\nsomething: {new: true}"));
        PlatformCluster before = platform.cluster(name).orElseThrow();
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.putObject("spec").putObject("clusterCredentialRef").put("name", "cc-" + name);

        // when
        PlatformCluster after = platform.patch(before, fields);

        // then
        assertThat(after.credential()).contains("cc-" + name);
        assertThat(after.object().at("spec", "networkArgs", "mtu").asText()).isEqualTo("1400");
        assertThat(after.object().at("something", "new").asBoolean()).isTrue();

        // given
        json.delete(PATH + "clusters/" + name);
        platform.create(cluster());

        // then
        assertThatThrownBy(() -> platform.patch(before, fields)).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
            assertThat(failure.code()).isEqualTo("UidChanged");
        });
    }

    // Its address

    @Test
    void writesTheAddressThatACreateDropsAndOnlyOnce() {
        // given
        PlatformCluster created = platform.create(cluster()).orElseThrow();
        Address address = Address.advertised("10.0.0.1", 6443);
        assertThat(created.addresses()).isEmpty();

        // when
        PlatformCluster first = platform.ensureAddress(created, address);
        PlatformCluster second = platform.ensureAddress(created, address);

        // then
        assertThat(first.addresses()).containsExactly(address);
        assertThat(first.phase()).contains("Initializing");
        assertThat(second.object().resourceVersion()).isEqualTo(first.object().resourceVersion());
    }

    @Test
    void leavesWhatThePlatformsControllerWroteIntoTheStatus() {
        // given
        PlatformCluster created = platform.create(cluster()).orElseThrow();
        json.merge(
                PATH + "clusters/" + name + "/status",
                parse(
                        "status: {phase: Running, dnsIP: 10.96.0.10, addresses: [{type: Internal, host: 10.0.0.9, port: 443,"
                                + " since: 2030}, {type: Advertise, host: 10.0.0.8, port: 6443}]}"));

        // when
        PlatformCluster after = platform.ensureAddress(created, Address.advertised("10.0.0.1", 6443));

        // then
        assertThat(after.phase()).contains("Running");
        assertThat(after.object().at("status", "dnsIP").asText()).isEqualTo("10.96.0.10");
        assertThat(after.addresses())
                .containsExactly(new Address("Internal", "10.0.0.9", 443, ""), Address.advertised("10.0.0.1", 6443));
        assertThat(after.object()
                        .at("status", "addresses")
                        .path(0)
                        .path("since")
                        .asInt())
                .isEqualTo(2030);
    }

    @Test
    void writesTheAddressWhereTheStatusIsNoSubresource() {
        PlatformLab.withoutStatusSubresource(() -> {
            // given
            Platform plain = PlatformLab.open(PlatformLab.client());
            PlatformCluster created = plain.create(cluster()).orElseThrow();

            // when
            PlatformCluster after = plain.ensureAddress(created, Address.advertised("10.0.0.1", 6443));

            // then
            assertThat(after.addresses()).containsExactly(Address.advertised("10.0.0.1", 6443));
            assertThat(after.credential()).contains("cc-" + name);
        });
    }

    @Test
    void nothingIsLostWhenTheControllerWritesTheStatusInBetween() {
        // given
        PlatformCluster created = platform.create(cluster()).orElseThrow();
        AtomicInteger writes = new AtomicInteger();
        ApiClient api = PlatformLab.plane().apiClient();
        Wire.into(api)
                .before(
                        "PATCH",
                        () -> json.merge(
                                PATH + "clusters/" + name + "/status",
                                parse("status: {dnsIP: 10.96.0." + writes.incrementAndGet()
                                        + ", addresses: [{type: Real, host: r, port: 1}]}")));
        Platform disturbed = PlatformLab.open(KubeClient.of(api));

        // when
        assertThatThrownBy(() -> disturbed.ensureAddress(created, Address.advertised("10.0.0.1", 6443)))
                .isInstanceOfSatisfying(Failure.class, failure -> assertThat(failure.errorClass())
                        .isEqualTo(ErrorClass.CONTENTION));
        PlatformCluster after = platform.ensureAddress(created, Address.advertised("10.0.0.1", 6443));

        // then
        assertThat(after.addresses())
                .containsExactly(new Address("Real", "r", 1, ""), Address.advertised("10.0.0.1", 6443));
        assertThat(after.object().at("status", "dnsIP").asText()).isEqualTo("10.96.0." + writes.get());
    }

    @Test
    void saysSoWhenTheServerDropsTheStatus() {
        // given
        PlatformCluster created = platform.create(cluster()).orElseThrow();
        AtomicReference<Platform> outdated = new AtomicReference<>();
        PlatformLab.withoutStatusSubresource(() -> outdated.set(PlatformLab.open(PlatformLab.client())));

        // then
        assertThatThrownBy(() -> outdated.get().ensureAddress(created, Address.advertised("10.0.0.1", 6443)))
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRANSIENT);
                    assertThat(failure.code()).isEqualTo("StatusNotStored");
                });
    }

    @Test
    void doesNotWriteTheAddressOfARecordThatWasReplaced() {
        // given
        PlatformCluster old = platform.create(cluster()).orElseThrow();
        json.delete(PATH + "clusters/" + name);
        platform.create(cluster());

        // then
        assertThatThrownBy(() -> platform.ensureAddress(old, Address.advertised("10.0.0.1", 6443)))
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
                    assertThat(failure.code()).isEqualTo("ClusterReplaced");
                });
        assertThat(platform.cluster(name).orElseThrow().addresses()).isEmpty();
    }

    // Its credentials

    @Test
    void makesTheCredentialOnceWithBytesInBase64AndAPlainToken() {
        // when
        Optional<ClusterCredential> first = platform.create(credential(TOKEN));
        Optional<ClusterCredential> second = platform.create(credential("other"));

        // then
        assertThat(second).isEmpty();
        ObjectNode stored = json.get(PATH + "clustercredentials/cc-" + name).orElseThrow();
        assertThat(stored.path("token").asText()).isEqualTo(TOKEN);
        assertThat(stored.path("caCert").asText()).startsWith("LS0tLS1CRUdJTi");
        assertThat(stored.path("clusterName").asText()).isEqualTo(name);
        assertThat(first).hasValueSatisfying(credential -> {
            assertThat(credential.authority()).contains(PEM);
            assertThat(credential.token()).contains(TOKEN);
            assertThat(credential.createdByUs()).isTrue();
            assertThat(credential.counts(name)).isTrue();
            assertThat(credential.toString()).isEqualTo("ClusterCredential cc-" + name + " of " + name);
        });
        assertThat(credential(TOKEN).toString()).isEqualTo("ClusterCredential cc-" + name);
    }

    @Test
    void findsEachCredentialOnceByEitherLabelOrTheField() {
        // given
        foreign("a" + name, "labels: {cluster.x-k8s.io/cluster-name: " + name + "}", "");
        foreign("b" + name, "labels: {tkestack.io/cluster-name: " + name + "}", "");
        foreign("c" + name, "labels: {}", "clusterName: " + name);
        foreign("d" + name, "labels: {cluster.x-k8s.io/cluster-name: another}", "clusterName: another");
        platform.create(credential(TOKEN));

        // then
        assertThat(platform.credentialsOf(name))
                .extracting(ClusterCredential::name)
                .containsExactlyInAnyOrder("a" + name, "b" + name, "c" + name, "cc-" + name);
    }

    @Test
    void adoptsACredentialOfOthersWithoutLosingTheirFieldsOrSayingItWasMadeByUs() {
        // given
        foreign("cc-" + name, "labels: {theirs: kept}", "token: old\nusername: admin\nnew-field: {x: 1}");
        ClusterCredential theirs = platform.credential("cc-" + name).orElseThrow();

        // when
        ClusterCredential adopted = platform.update(theirs, credential(TOKEN));
        ClusterCredential again = platform.update(adopted, credential(TOKEN));

        // then
        ObjectNode stored = json.get(PATH + "clustercredentials/cc-" + name).orElseThrow();
        assertThat(adopted.token()).contains(TOKEN);
        assertThat(adopted.authority()).contains(PEM);
        assertThat(adopted.belongsTo(name)).isTrue();
        assertThat(adopted.createdByUs()).isFalse();
        assertThat(stored.path("username").asText()).isEqualTo("admin");
        assertThat(stored.path("new-field").path("x").asInt()).isEqualTo(1);
        assertThat(stored.path("metadata").path("labels").path("theirs").asText())
                .isEqualTo("kept");
        assertThat(again).as("nothing was written").isSameAs(adopted);
    }

    @Test
    void theRecordBecomesAnOwnerOfTheCredentialBesideOthers() {
        // given
        PlatformCluster cluster = platform.create(cluster()).orElseThrow();
        foreign(
                "cc-" + name,
                "ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: x, uid: other-uid, controller: true}]",
                "");
        ClusterCredential theirs = platform.credential("cc-" + name).orElseThrow();

        // when
        ClusterCredential owned = platform.own(theirs, cluster);
        ClusterCredential again = platform.own(owned, cluster);

        // then
        ObjectNode stored = json.get(PATH + "clustercredentials/cc-" + name).orElseThrow();
        assertThat(stored.path("metadata").path("ownerReferences").findValuesAsText("uid"))
                .containsExactly("other-uid", cluster.uid());
        assertThat(stored.path("metadata").path("ownerReferences").path(1).has("controller"))
                .isFalse();
        assertThat(again).isSameAs(owned);
    }

    @Test
    void aRecordIsTakenOffTheOwnersAndGoesWithoutItsCredential() {
        // given
        PlatformCluster owner = platform.create(cluster()).orElseThrow();
        platform.own(platform.create(credential(TOKEN)).orElseThrow(), owner);
        json.merge(
                PATH + "clustercredentials/cc-" + name,
                parse("metadata: {ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a, uid: a1}, {apiVersion:"
                        + " platform.tkestack.io/v1, kind: Cluster, name: " + name + ", uid: " + owner.uid() + "}]}"));

        // when
        ClusterCredential free =
                platform.disown(platform.credential("cc-" + name).orElseThrow(), owner);
        ClusterCredential again = platform.disown(free, owner);
        platform.delete(owner);
        platform.delete(owner);

        // then
        assertThat(again).isSameAs(free);
        assertThat(json.get(PATH + "clustercredentials/cc-" + name)
                        .orElseThrow()
                        .at("/metadata/ownerReferences")
                        .findValuesAsText("uid"))
                .containsExactly("a1");
        assertThat(platform.cluster(name)).isEmpty();

        // given
        PlatformCluster other = platform.create(cluster()).orElseThrow();

        // when: another one of its name
        platform.delete(owner);

        // then
        assertThat(platform.cluster(name)).map(PlatformCluster::uid).contains(other.uid());
    }

    @Test
    void theReferenceIsWrittenOnceAndNothingElse() {
        // given
        PlatformCluster made = platform.create(cluster()).orElseThrow();

        // when
        PlatformCluster same = platform.refer(made, "cc-" + name);
        PlatformCluster changed = platform.refer(made, "cc-other");

        // then
        assertThat(same).isSameAs(made);
        assertThat(changed.credential()).contains("cc-other");
        assertThat(changed.object().at("spec", "displayName"))
                .isEqualTo(made.object().at("spec", "displayName"));
    }

    @Test
    void tellsWhoUsesACredentialAndDeletesTheVeryOne() {
        // given
        platform.create(cluster());
        ClusterCredential used = platform.create(credential(TOKEN)).orElseThrow();
        foreign("free" + name, "labels: {tkestack.io/cluster-name: " + name + "}", "");
        foreign("theirs" + name, "labels: {tkestack.io/cluster-name: " + name + "}", "clusterName: another");
        List<PlatformCluster> clusters = platform.clusters();
        ClusterCredential free = platform.credential("free" + name).orElseThrow();
        ClusterCredential theirs = platform.credential("theirs" + name).orElseThrow();

        // then
        assertThat(used.candidate(name, clusters, Proof.ACCEPTED).use()).isEqualTo(Use.THIS_CLUSTER);
        assertThat(used.candidate("another", clusters, Proof.ACCEPTED).use()).isEqualTo(Use.ANOTHER_CLUSTER);
        assertThat(theirs.candidate(name, clusters, Proof.UNKNOWN).use()).isEqualTo(Use.ANOTHER_CLUSTER);
        CredentialCandidate candidate = free.candidate(name, clusters, Proof.UNKNOWN);
        assertThat(candidate.use()).isEqualTo(Use.NONE);

        // when
        json.delete(PATH + "clustercredentials/free" + name);
        foreign("free" + name, "labels: {tkestack.io/cluster-name: " + name + "}", "");
        platform.delete(candidate);

        // then
        assertThat(platform.credential("free" + name))
                .as("another one of that name stays")
                .isPresent();

        // when
        platform.delete(platform.credential("free" + name).orElseThrow().candidate(name, clusters, Proof.UNKNOWN));

        // then
        assertThat(platform.credential("free" + name)).isEmpty();
    }

    @Test
    void noErrorQuotesWhatACredentialHolds() {
        // given
        foreign("cc-" + name, "labels: {}", "");
        var type = client.find(PlatformApi.GROUP, "ClusterCredential").orElseThrow();
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.put("caCert", "not base64: " + TOKEN);

        // then
        assertThatThrownBy(() -> client.mergePatch(type, "", "cc-" + name, patch))
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
                    assertThat(failure.message()).contains("caCert").doesNotContain(TOKEN);
                });
    }

    /** What a platform's server does with a name that it does not like. */
    private Request renamed(Request request) throws IOException {
        if (!request.method().equals("POST") || request.body() == null) {
            return request;
        }
        Buffer body = new Buffer();
        request.body().writeTo(body);
        String text = body.readUtf8().replace("\"name\":\"" + name + "\"", "\"name\":\"" + name + "x\"");
        return request.newBuilder()
                .post(RequestBody.create(text, request.body().contentType()))
                .build();
    }

    private static Response withoutCredentials(Response response) throws IOException {
        String text = response.body().string().replace("\"ClusterCredential\"", "\"SomethingElse\"");
        return response.newBuilder()
                .body(ResponseBody.create(text, response.body().contentType()))
                .build();
    }

    private PlatformCluster.Spec cluster() {
        return new PlatformCluster.Spec(name, "default", "Shop", "cc-" + name, "id-" + name, "team/" + name + "@1");
    }

    private ClusterCredential.Spec credential(String token) {
        return new ClusterCredential.Spec(name, "default", PEM, token, "id-" + name, "team/" + name + "@1");
    }

    private void foreign(String credential, String metadata, String fields) {
        ObjectNode object = parse("apiVersion: platform.tkestack.io/v1\nkind: ClusterCredential\nmetadata: {name: "
                + credential + ", " + metadata + "}\n" + fields);
        json.create(PATH + "clustercredentials", object);
    }

    private static ObjectNode parse(String yaml) {
        return JsonApi.parseYaml(yaml).get(0);
    }
}
