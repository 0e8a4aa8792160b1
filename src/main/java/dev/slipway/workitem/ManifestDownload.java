package dev.slipway.workitem;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Fetches manifests over HTTPS: verified, of limited size and time, and nothing but what was meant. */
@Component
public class ManifestDownload {

    private static final int MOST_BYTES = 4 * 1024 * 1024;
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final String URL_FIELD = "spec.manifests.url";

    /**
     * Fetches a file.
     *
     * @param display whose it is, for messages
     * @param url {@code https://}
     * @param sha256 the file's checksum in hex
     * @param authorities PEM of the only CAs to trust; empty for the system's
     * @throws Failure by class: TRUST, AUTH, INVALID {@code ChecksumMismatch}, {@code ManifestsTooLarge},
     *     {@code ManifestsAbsent}, else TRANSIENT {@code ManifestsUnreachable}
     */
    public String fetch(String display, String url, String sha256, String authorities) {
        HttpClient client = client(authorities);
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).GET().build();
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request, info -> new Limited());
        try {
            HttpResponse<byte[]> response = answer.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
            requireOk(display, url, response.statusCode());
            requireSame(display, url, sha256, response.body());
            return new String(response.body(), StandardCharsets.UTF_8);
        } catch (TimeoutException e) {
            throw unreachable(display, url, "there was no answer in " + LONGEST.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(
                    ErrorClass.CONTENTION,
                    "CallInterrupted",
                    "The call of " + url + " was interrupted",
                    List.of(),
                    null,
                    e);
        } catch (ExecutionException e) {
            throw classified(display, url, e.getCause() == null ? e : e.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    private static Failure classified(String display, String url, Throwable cause) {
        if (cause instanceof TooLarge) {
            return failure(
                    ErrorClass.INVALID,
                    "ManifestsTooLarge",
                    display + ": " + URL_FIELD + ": " + url + " is larger than 4 MiB",
                    "Split the manifests over several work items, or make a chart of them");
        }
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof SSLException) {
                return failure(
                        ErrorClass.TRUST,
                        "ManifestsServerNotTrusted",
                        display + ": " + URL_FIELD + ": the server of " + url + " is not trusted: " + each.getMessage(),
                        "Put the CA that signed the server's certificate into spec.manifests.caSecretRef or"
                                + " caConfigMapRef, or use a host name that the certificate holds");
            }
        }
        return unreachable(display, url, cause.toString(), cause);
    }

    private static Failure unreachable(String display, String url, String why, Throwable cause) {
        return new Failure(
                ErrorClass.TRANSIENT,
                "ManifestsUnreachable",
                display + ": " + URL_FIELD + ": " + url + " cannot be fetched: " + why,
                List.of("Check that the server runs and that Slipway can reach it"),
                null,
                cause);
    }

    private static void requireOk(String display, String url, int code) {
        if (code == 200) {
            return;
        }
        String what = display + ": " + URL_FIELD + ": " + url + " answered " + code;
        if (code == 401 || code == 403) {
            throw failure(
                    ErrorClass.AUTH, "ManifestsForbidden", what, "Serve the file without credentials: URLs have none");
        }
        if (code == 429 || code >= 500) {
            throw failure(ErrorClass.TRANSIENT, "ManifestsUnreachable", what, "Look at the server");
        }
        throw failure(ErrorClass.INVALID, "ManifestsAbsent", what, "Correct " + URL_FIELD);
    }

    private static void requireSame(String display, String url, String sha256, byte[] content) {
        try {
            String is = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(content));
            if (!is.equals(sha256.toLowerCase(Locale.ROOT))) {
                throw failure(
                        ErrorClass.INVALID,
                        "ChecksumMismatch",
                        display + ": spec.manifests.sha256: " + url + " has the checksum " + is + ", not " + sha256
                                + ": nothing of it was used",
                        "Find out who changed the file; if it is what you want, correct spec.manifests.sha256");
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    private static HttpClient client(String authorities) {
        HttpClient.Builder builder =
                HttpClient.newBuilder().connectTimeout(LONGEST).followRedirects(HttpClient.Redirect.NORMAL);
        return (authorities.isEmpty() ? builder : builder.sslContext(trusting(authorities))).build();
    }

    private static SSLContext trusting(String authorities) {
        try (InputStream pem = new ByteArrayInputStream(authorities.getBytes(StandardCharsets.UTF_8))) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("ca-" + number++, each);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw failure(
                    ErrorClass.INVALID,
                    "AuthoritiesInvalid",
                    "The CAs of spec.manifests are no PEM of certificates",
                    "Correct the Secret or ConfigMap that caSecretRef or caConfigMapRef names");
        }
    }

    private static Failure failure(ErrorClass errorClass, String code, String message, String action) {
        return new Failure(errorClass, code, message, List.of(action), null, null);
    }

    /** More than may be read. */
    private static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** Collects a body, and gives up when it gets too large. */
    private static final class Limited implements HttpResponse.BodySubscriber<byte[]> {

        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Flow.@Nullable Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription started) {
            subscription = started;
            started.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                byte[] part = new byte[buffer.remaining()];
                buffer.get(part);
                bytes.writeBytes(part);
            }
            if (bytes.size() > MOST_BYTES && !body.isDone() && subscription != null) {
                subscription.cancel();
                body.completeExceptionally(new TooLarge());
            }
        }

        @Override
        public void onError(Throwable problem) {
            body.completeExceptionally(problem);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toByteArray());
        }
    }
}
