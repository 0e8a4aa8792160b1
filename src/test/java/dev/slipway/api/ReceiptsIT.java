package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import dev.slipway.phase.ClusterRef;
import dev.slipway.receipt.Entry;
import dev.slipway.receipt.Fate;
import dev.slipway.receipt.Head;
import dev.slipway.receipt.ReceiptBook;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Receipts in the REST API of the running application. */
class ReceiptsIT extends WholeApplication {

    private static final String RECEIPTS = "/api/v1/receipts";
    private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

    private final String flow = UUID.randomUUID().toString();
    private final String name = "gone-" + flow.substring(0, 8);

    @Autowired
    private ReceiptBook book;

    private Rest rest;

    @BeforeEach
    void aReceiptOfSomethingThatIsGone(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
        book.open(new Head(flow, "delete", new ClusterRef("receipts", name, "uid-1"), "Full", "alice", AT));
        book.because(flow, "the project has ended");
        book.note(flow, new Entry("Secret receipts/a", Fate.DELETED, "EnsureCredentialsGone", null, AT));
        book.note(flow, new Entry("Namespace cpaas-system", Fate.LEFT, "EnsureRemoteCleaned", "skipped", AT));
        book.close(flow, "Deleted", AT.plusSeconds(60));
    }

    @Test
    void areListedByNameAndTime() {
        // when
        JsonNode items = rest.get(RECEIPTS + "?namespace=receipts&cluster=" + name)
                .json()
                .path("items");

        // then
        assertThat(items).singleElement().satisfies(receipt -> {
            assertThat(receipt.path("flow").asText()).isEqualTo(flow);
            assertThat(receipt.path("result").asText()).isEqualTo("Deleted");
            assertThat(receipt.path("reason").asText()).isEqualTo("the project has ended");
            assertThat(receipt.path("summary").asText()).isEqualTo("1 deleted, 1 left behind: Namespace cpaas-system");
            assertThat(receipt.path("counts").path("LEFT").asInt()).isEqualTo(1);
        });
        assertThat(rest.get(RECEIPTS + "?cluster=" + name + "&since=2026-03-02T00:00:00Z")
                        .json()
                        .path("items"))
                .isEmpty();
    }

    @Test
    void areShownWithEachObject() {
        // when
        JsonNode receipt = rest.get(RECEIPTS + "/" + flow).json();

        // then
        assertThat(receipt.path("name").asText()).isEqualTo(name);
        assertThat(receipt.path("closedAt").asText()).isEqualTo("2026-03-01T10:01:00Z");
        assertThat(receipt.path("entries").findValuesAsText("what"))
                .containsExactly("Namespace cpaas-system", "Secret receipts/a");
        assertThat(receipt.path("phases").isArray()).isTrue();
        assertThat(receipt.path("decisions").isArray()).isTrue();
    }

    @Test
    void areNotThereOrCannotBeAskedForWithAClearAnswer() {
        assertProblem(rest.get(RECEIPTS + "/nothing"), 404, "ReceiptNotFound");
        assertProblem(rest.get(RECEIPTS + "?since=yesterday"), 400, "InvalidField");
        assertThat(rest.getAnonymously(RECEIPTS).status()).isEqualTo(401);
    }

    private static void assertProblem(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(answer.json().path("code").asText()).isEqualTo(code);
        assertThat(answer.json().path("remedy").asText()).isNotEmpty();
    }
}
