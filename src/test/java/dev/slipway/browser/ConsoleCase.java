package dev.slipway.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.RequestOptions;
import dev.slipway.Rest;
import dev.slipway.SandboxYaml;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.Flows;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** A namespace of its own on the management cluster, and people who visit the console. */
abstract class ConsoleCase extends WholeApplication {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    private static final AtomicInteger USERS = new AtomicInteger();

    static final Duration PATIENCE = Duration.ofSeconds(40);
    static final String CLASS = SandboxYaml.resource("sandbox/cluster-class.yaml");

    final JsonApi api = management().json();
    final String namespace = management().newNamespace("seen");

    @Autowired
    private Flows flows;

    private int port;
    Rest rest;

    @BeforeEach
    void reach(@LocalServerPort int localPort) {
        port = localPort;
        rest = new Rest(port, "admin", PASSWORD);
    }

    /** Nothing goes on in the background. */
    @AfterEach
    void endFlows() {
        remove("slipway.dev/v1alpha1", "workitems");
        remove("slipway.dev/v1alpha1", "workloadclusters");
        remove("cluster.x-k8s.io/v1beta2", "clusters");
    }

    private void remove(String version, String plural) {
        String collection = "/apis/" + version + "/namespaces/" + namespace + "/" + plural;
        for (JsonNode object : api.list(collection)) {
            String path = collection + "/" + object.at("/metadata/name").asText();
            // Without its object no flow begins anew.
            api.merge(path, "{\"metadata\": {\"finalizers\": null}}");
            api.delete(path);
            flows.requestDelete(object.at("/metadata/uid").asText());
        }
    }

    int port() {
        return port;
    }

    /** A new user in that group. */
    String user(String group) {
        String name = group + USERS.incrementAndGet();
        String profile =
                "{\"profile\": {\"id\": \"" + name + "\"}, \"credentials\": {\"password\": \"" + PASSWORD + "\"}}";
        assertThat(rest.post("/engine-rest/user/create", profile).status()).isEqualTo(204);
        assertThat(rest.put("/engine-rest/group/" + group + "/members/" + name, "{}")
                        .status())
                .isEqualTo(204);
        return name;
    }

    /** A window of somebody who is signed in. */
    Visit signedIn(String user) {
        return signedIn(user, new Browser.NewContextOptions());
    }

    /** The same with other wishes of the browser's. */
    Visit signedIn(String user, Browser.NewContextOptions options) {
        Visit visit = CHROMIUM.visits().begin(port, options);
        Map<String, String> who = Map.of("name", user, "password", PASSWORD);
        APIResponse answer = visit.context()
                .request()
                .post("/api/v1/session", RequestOptions.create().setData(who));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return visit;
    }

    /** A cluster that waits for an operator: its class does not exist. */
    JsonNode blocked(String name) {
        JsonNode made = api.create(
                        clusters(""),
                        JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                                + " \"metadata\": {\"name\": \"" + name + "\"}, \"spec\": {\"version\": \"v1.36.3\","
                                + " \"topology\": {\"class\": \"no-such-class\"}}}"))
                .orElseThrow();
        await("the cluster " + name + " is stuck").atMost(PATIENCE).until(() -> api.get(clusters("/" + name))
                .map(object -> object.at("/status/phase").asText())
                .filter("Stuck"::equals)
                .isPresent());
        return made;
    }

    /** A cluster of the sandbox's class. */
    static String cluster(String name) {
        return SandboxYaml.cluster(name, "");
    }

    /** A work item that waits for its cluster. */
    void workItem(String name) {
        assertThat(
                        api.create(
                                "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workitems",
                                JsonApi.parse(
                                        "{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkItem\","
                                                + " \"metadata\": {\"name\": \"" + name
                                                + "\"}, \"spec\": {\"clusterRef\": {\"name\": \"nowhere\"},"
                                                + " \"manifests\": {\"inline\": \"apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: x}\"}}}")))
                .isPresent();
    }

    /** Opens the dialog about the phase that waits. */
    static void openDecision(Visit visit) {
        visit.page().locator(".standing button").first().click();
        PlaywrightAssertions.assertThat(visit.dialog()).isVisible();
    }

    /** Decides in the open dialog. */
    static void choose(Visit visit, String choice, String why) {
        Locator dialog = visit.dialog();
        dialog.locator(".choice", new Locator.LocatorOptions().setHasText(choice))
                .first()
                .click();
        dialog.locator("input[name=reason]").fill(why);
        dialog.locator("button[type=submit]").click();
    }

    /** Opens the dialog, decides, and sees it close. */
    static void decide(Visit visit, String choice, String why) {
        openDecision(visit);
        choose(visit, choice, why);
        PlaywrightAssertions.assertThat(visit.dialog()).isHidden();
    }

    String clusters(String suffix) {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters" + suffix;
    }

    /** The page of a cluster in the console. */
    String page(String name) {
        return "#/clusters/" + namespace + "/" + name;
    }

    static void accessible(Visit visit) {
        assertThat(visit.barriers()).isEmpty();
    }
}
