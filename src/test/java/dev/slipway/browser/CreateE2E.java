package dev.slipway.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Declaring a cluster with the form. */
class CreateE2E extends ConsoleCase {

    @Test
    void whatIsWrongIsSaidAtItsFieldAndWhatIsRightIsCreated() {
        // given
        api.applyYaml(CLASS, namespace);
        Visit visit = signedIn(user("operators")).open("#/").at("Clusters");
        visit.button("Create a cluster…").click();
        visit.at("Create a cluster");

        // when
        field(visit, "metadata.namespace").fill(namespace);
        field(visit, "metadata.name").fill("Not_A_Name");
        field(visit, "spec.version").fill("v1.36.3");
        field(visit, "spec.topology.class").selectOption(namespace + "/sandbox");

        // then
        Locator wrong = visit.page().locator(".field.wrong");
        assertThat(wrong).hasCount(1);
        assertThat(wrong).containsText("name");
        assertThat(field(visit, "metadata.name")).hasAttribute("aria-invalid", "true");
        accessible(visit);

        // when
        field(visit, "metadata.name").fill("formed");

        // then
        assertThat(visit.page().locator(".create-state")).containsText("The server would create this");
        assertThat(visit.labelled("The same as YAML")).hasValue(Pattern.compile("name: formed"));

        // when
        visit.button("Create").last().click();

        // then
        visit.at(namespace + "/formed");
        assertThat(visit.page().locator(".timeline")).isVisible();
    }

    private static Locator field(Visit visit, String name) {
        return visit.page().locator("[name='" + name + "']");
    }
}
