package dev.slipway.notify;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.slipway.MovedClock;
import dev.slipway.kubernetes.TestTls;
import dev.slipway.notify.Delivery.Accepted;
import dev.slipway.notify.Delivery.Refused;
import dev.slipway.notify.Delivery.Unavailable;
import dev.slipway.notify.Receiver.Answer;
import dev.slipway.notify.WebhookProperties.Format;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** One POST to a real server, good and bad. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class WebhookTest {

    private static final String TOKEN = "s3cr3t-t0k3n";

    @TempDir
    private Path folder;

    private static Webhook webhook(WebhookProperties properties) {
        return new Webhook(WebhookSettings.of(properties), new MovedClock());
    }

    private static WebhookProperties trusting(String url, Path authorities) {
        return new WebhookProperties(url, Format.SLIPWAY, null, Duration.ofSeconds(10), authorities, "");
    }

    private static WebhookProperties impatient(String url) {
        return new WebhookProperties(url, Format.SLIPWAY, null, Duration.ofMillis(700), null, "");
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void theReceiversAuthorityIsTrustedIfTheSettingsSaySo() throws Exception {
        // given
        TestTls.Identity authority = TestTls.authority("receivers");
        Path pem = file("ca.pem", TestTls.authority("another").pem() + authority.pem());
        try (Receiver receiver = Receiver.startWith(TestTls.serving(authority, "127.0.0.1", Duration.ofDays(1)))) {
            // when
            Delivery delivery = webhook(trusting(receiver.url("/"), pem)).post("key", "{}");

            // then
            assertThat(delivery).isEqualTo(new Accepted());
            assertThat(receiver.requests()).hasSize(1);
        }
    }

    @Test
    void anUnknownAuthorityIsNotTrusted() throws Exception {
        // given
        TestTls.Identity authority = TestTls.authority("receivers");
        Path pem = file("ca.pem", TestTls.authority("another").pem());
        try (Receiver receiver = Receiver.startWith(TestTls.serving(authority, "127.0.0.1", Duration.ofDays(1)))) {
            // when
            Delivery delivery = webhook(trusting(receiver.url("/"), pem)).post("key", "{}");

            // then
            assertThat(delivery).isInstanceOfSatisfying(Unavailable.class, failure -> assertThat(failure.why())
                    .startsWith(receiver.url("") + " failed at TLS"));
            assertThat(receiver.requests()).isEmpty();
        }
    }

    @Test
    void aCertificateForAnotherHostIsNotAccepted() throws Exception {
        // given
        TestTls.Identity authority = TestTls.authority("receivers");
        Path pem = file("ca.pem", authority.pem());
        try (Receiver receiver =
                Receiver.startWith(TestTls.serving(authority, "receiver.example.com", Duration.ofDays(1)))) {
            // when
            Delivery delivery = webhook(trusting(receiver.url("/"), pem)).post("key", "{}");

            // then
            assertThat(delivery).isInstanceOf(Unavailable.class);
            assertThat(receiver.requests()).isEmpty();
        }
    }

    @Test
    void aRedirectIsNotFollowed() throws Exception {
        // given
        try (Receiver elsewhere = Receiver.start();
                Receiver receiver = Receiver.start()) {
            receiver.answer(request -> Answer.of(307).with("Location", elsewhere.url("/")));

            // when
            Delivery delivery = webhook(Samples.withToken(receiver.url("/"), file("token", TOKEN)))
                    .post("key", "{}");

            // then
            assertThat(delivery).isEqualTo(new Refused(receiver.url("") + " answered 307"));
            assertThat(elsewhere.requests()).isEmpty();
        }
    }

    @Test
    void theTokenIsReadAnewForEachDelivery() throws Exception {
        // given
        Path token = file("token", "first\n");
        try (Receiver receiver = Receiver.start()) {
            Webhook webhook = webhook(Samples.withToken(receiver.url("/"), token));

            // when
            webhook.post("key", "{}");
            Files.writeString(token, "second");
            webhook.post("key", "{}");
            Files.delete(token);
            Delivery without = webhook.post("key", "{}");

            // then
            assertThat(receiver.requests())
                    .extracting(request -> request.header("Authorization"))
                    .containsExactly("Bearer first", "Bearer second");
            assertThat(without).isEqualTo(new Unavailable("the token in " + token + " cannot be read", Duration.ZERO));
        }
    }

    @Test
    void whatTheReceiverEchoesIsShownWithoutTokenAndPath(CapturedOutput log) throws Exception {
        // given
        try (Receiver receiver = Receiver.start()) {
            receiver.answer(
                    request -> Answer.of(500).saying("POST " + request.path() + "\n" + request.headers() + "\n"));

            // when
            Delivery delivery = webhook(
                            Samples.withToken(receiver.url("/services/T0/B0/xyz?key=k3y"), file("token", TOKEN)))
                    .post("key", "{}");

            // then
            assertThat(delivery).isInstanceOfSatisfying(Unavailable.class, failure -> assertThat(failure.why())
                    .startsWith(receiver.url("") + " answered 500: POST /***?*** {")
                    .doesNotContain(TOKEN, "xyz", "k3y", "\n"));
            assertThat(log.getAll()).doesNotContain(TOKEN, "xyz", "k3y");
        }
    }

    @Test
    void aTokenThatIsNoneIsNotSent(CapturedOutput log) throws Exception {
        // given
        Path token = file("token", TOKEN + "\n" + TOKEN);
        try (Receiver receiver = Receiver.start()) {
            // when
            Delivery delivery =
                    webhook(Samples.withToken(receiver.url("/"), token)).post("key", "{}");

            // then
            assertThat(delivery)
                    .isEqualTo(new Unavailable(token + " does not hold one token on one line", Duration.ZERO));
            assertThat(receiver.requests()).isEmpty();
            assertThat(log.getAll()).doesNotContain(TOKEN);
        }
    }

    @Test
    @Timeout(15)
    void aServerThatNeverAnswersHasADeadline() throws Exception {
        // given: connections are accepted by the system, and that is all
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + silent.getLocalPort();

            // when
            Delivery delivery = webhook(impatient(url + "/")).post("key", "{}");

            // then
            assertThat(delivery).isEqualTo(new Unavailable(url + " did not answer within 700 ms", Duration.ZERO));
        }
    }

    @Test
    @Timeout(15)
    void anAnswerThatDoesNotEndHasADeadline() throws Exception {
        // given
        HttpServer endless = endless(10);
        String url = "http://127.0.0.1:" + endless.getAddress().getPort();

        // when
        Delivery delivery = webhook(impatient(url + "/")).post("key", "{}");

        // then
        endless.stop(0);
        assertThat(delivery).isEqualTo(new Unavailable(url + " did not answer within 700 ms", Duration.ZERO));
    }

    @Test
    void ofALongAnswerOnlyTheBeginningIsRead() throws Exception {
        // given
        HttpServer endless = endless(100_000);
        String url = "http://127.0.0.1:" + endless.getAddress().getPort();

        // when
        Delivery delivery = webhook(Samples.to(url + "/")).post("key", "{}");

        // then
        endless.stop(0);
        assertThat(delivery).isEqualTo(new Accepted());
    }

    /** Answers 200 and so many bytes of a body that never ends. */
    private static HttpServer endless(int bytes) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "endless");
            thread.setDaemon(true);
            return thread;
        }));
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            body.write(new byte[bytes]);
            body.flush();
        });
        server.start();
        return server;
    }

    @Test
    void anUnknownHostIsSaidToBeOne() throws Exception {
        // when
        Delivery delivery =
                webhook(Samples.to("http://no-such-host.invalid/secret")).post("key", "{}");

        // then
        assertThat(delivery).isEqualTo(new Unavailable("http://no-such-host.invalid is no known host", Duration.ZERO));
    }

    @Test
    void anAbsurdRetryAfterIsCutToAnHour() throws Exception {
        // given
        try (Receiver receiver = Receiver.start()) {
            receiver.answer(request -> Answer.of(429).with("Retry-After", "99999999"));

            // when
            Delivery delivery = webhook(Samples.to(receiver.url("/"))).post("key", "{}");

            // then
            assertThat(delivery).isEqualTo(new Unavailable(receiver.url("") + " answered 429", Duration.ofHours(1)));
        }
    }
}
