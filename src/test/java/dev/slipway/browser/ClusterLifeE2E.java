package dev.slipway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** A cluster from kubectl apply to its receipt, as somebody sees it who never reloads the page. */
class ClusterLifeE2E extends ConsoleCase {

    @Test
    void becomesReadyBeforeOnesEyesAndIsDeletedWithItsNameTypedOut() {
        // given
        Visit visit = signedIn("admin").open("#/?namespace=" + namespace).at("Clusters");
        visit.page().evaluate("() => { window.sameDocument = true; }");

        // when
        api.applyYaml(CLASS, namespace);
        api.applyYaml(cluster("life"), namespace);

        // then
        Visit.awaits(visit.row(namespace + "/life"), "Ready");

        // when
        visit.link(namespace + "/life").click();
        visit.at(namespace + "/life");
        visit.button("Delete… the cluster life").click();
        assertThat(visit.dialog()).containsText("management cluster");
        visit.dialog().getByLabel("Type life to confirm").fill("live");
        visit.button("Delete").last().click();

        // then
        assertThat(visit.dialog()).containsText("What you typed is not the name life.");

        // when
        visit.dialog().getByLabel("Type life to confirm").fill("life");
        visit.dialog().getByLabel("Why").fill("no longer needed");
        visit.button("Delete").last().click();

        // then
        Visit.awaits(visit.page().locator("main"), "There is no cluster " + namespace + "/life any more.");

        // when
        visit.link("Receipts of deletions of that name").click();
        visit.link(namespace + "/life").click();

        // then
        visit.at("Receipt of " + namespace + "/life");
        assertThat(visit.rowOf("Cluster " + namespace + "/life")).containsText("Deleted");
        assertThat(visit.page().locator("main")).containsText("no longer needed");
        Assertions.assertThat(visit.page().evaluate("() => window.sameDocument"))
                .isEqualTo(true);
    }
}
