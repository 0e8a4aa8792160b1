package dev.slipway.faults;

import dev.slipway.controlplane.Pki;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.httpproxy.HttpProxy;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyInterceptor;
import io.vertx.httpproxy.ProxyResponse;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * HTTPS on loopback before an API server, with certificates of its own.
 *
 * <p>Its clients show a certificate of its client authority, or bring a token that the API server judges.
 */
final class TlsProxy {

    private static final String AUTHORIZATION = "Authorization";
    private static final long PATIENCE_SECONDS = 30;
    private static final long AGAIN_MILLIS = 100;

    private final Vertx vertx;
    private final HttpServerOptions options;
    private final HttpProxy proxy;
    private HttpServer server;

    private TlsProxy(Vertx vertx, HttpServerOptions options, HttpProxy proxy) {
        this.vertx = vertx;
        this.options = options;
        this.proxy = proxy;
        this.server = create();
    }

    /**
     * Starts serving on a free port.
     *
     * @param serving what it shows
     * @param clientAuthority PEM of the authority that signs its clients
     */
    static TlsProxy start(
            Vertx vertx, Pki.Pem serving, String clientAuthority, Upstream upstream, ProxyInterceptor interceptor) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost("127.0.0.1")
                .setPort(0)
                .setSsl(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertValue(Buffer.buffer(serving.certificate()))
                        .setKeyValue(Buffer.buffer(serving.key())))
                .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(clientAuthority)))
                .setClientAuth(ClientAuth.REQUEST);
        HttpProxy proxy = HttpProxy.reverseProxy(upstream.client())
                .originRequestProvider((request, client) -> origin(request, upstream))
                .addInterceptor(interceptor)
                .addInterceptor(new Plain());
        TlsProxy started = new TlsProxy(vertx, options, proxy);
        wait(started.server.listen());
        options.setPort(started.server.actualPort());
        return started;
    }

    int port() {
        return options.getPort();
    }

    /** Stops listening and closes all connections; done when nothing is accepted any more. */
    synchronized Future<Void> shut() {
        return server.close();
    }

    /** Listens again, on the same port. */
    synchronized Future<Void> open() {
        server = create();
        return server.listen().<Void>mapEmpty().recover(taken -> {
            // The port may have been lent to an outgoing connection meanwhile.
            io.vertx.core.Promise<Void> again = io.vertx.core.Promise.promise();
            vertx.setTimer(AGAIN_MILLIS, id -> open().onComplete(again));
            return again.future();
        });
    }

    private HttpServer create() {
        return vertx.createHttpServer(options).requestHandler(this::handle);
    }

    private void handle(HttpServerRequest request) {
        if (request.getHeader(AUTHORIZATION) == null && !showsCertificate(request)) {
            request.response()
                    .setStatusCode(401)
                    .putHeader("Content-Type", "application/json")
                    .end(AnswerFaults.statusBody(401, "Unauthorized", "Unauthorized")
                            .toString());
            return;
        }
        proxy.handle(request);
    }

    private static boolean showsCertificate(HttpServerRequest request) {
        try {
            return request.connection().sslSession().getPeerCertificates().length > 0;
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }

    private static Future<HttpClientRequest> origin(HttpServerRequest request, Upstream upstream) {
        HttpClient client = request.getHeader(AUTHORIZATION) == null ? upstream.client() : upstream.bare();
        return client.request(new RequestOptions())
                // A watch whose client went away would stay open until something happens.
                .onSuccess(asked -> request.response().closeHandler(closed -> asked.reset()));
    }

    static <T> T wait(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (java.util.concurrent.ExecutionException | TimeoutException | CompletionException e) {
            throw new IllegalStateException("The proxy did not start or stop: " + e, e);
        }
    }

    /** Bodies that faults look into must not be compressed. */
    private static final class Plain implements ProxyInterceptor {

        @Override
        public Future<ProxyResponse> handleProxyRequest(ProxyContext context) {
            context.request().headers().remove("Accept-Encoding");
            return context.sendRequest();
        }
    }
}
