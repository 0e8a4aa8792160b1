package dev.slipway.faults;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.Pki;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyInterceptor;
import io.vertx.httpproxy.ProxyResponse;
import java.time.Duration;

/** TLS fronts before one API server, each with a certificate of another authority. */
public final class TlsFronts implements AutoCloseable {

    private final Vertx vertx = Vertxes.small();
    private final Upstream upstream;

    private TlsFronts(ControlPlane plane) {
        this.upstream = Upstream.of(vertx, plane);
    }

    public static TlsFronts before(ControlPlane plane) {
        return new TlsFronts(plane);
    }

    /** Opens one on a free port: it shows a certificate of that authority, and lets in whom that authority signed. */
    public Front open(Pki.Pem authority) {
        return new Front(TlsProxy.start(
                vertx, Pki.serving(authority), authority.certificate(), upstream, new ProxyInterceptor() {}));
    }

    /**
     * Opens one that seems to be a cluster of its own.
     *
     * @param identity the UID that its namespace kube-system seems to have
     * @param delay how long each answer takes at least; not zero
     */
    public Front open(Pki.Pem authority, String identity, Duration delay) {
        return new Front(TlsProxy.start(
                vertx,
                Pki.serving(authority),
                authority.certificate(),
                upstream,
                new OtherCluster(vertx, identity, delay)));
    }

    @Override
    public void close() {
        TlsProxy.wait(vertx.close());
    }

    private record OtherCluster(Vertx vertx, String identity, Duration delay) implements ProxyInterceptor {

        private static final String NAMESPACE = "/api/v1/namespaces/kube-system";

        @Override
        public Future<ProxyResponse> handleProxyRequest(ProxyContext context) {
            Promise<Void> pause = Promise.promise();
            context.request().proxiedRequest().pause();
            vertx.setTimer(delay.toMillis(), id -> pause.complete());
            return pause.future().compose(over -> context.sendRequest());
        }

        @Override
        public Future<Void> handleProxyResponse(ProxyContext context) {
            if (!context.request().proxiedRequest().path().equals(NAMESPACE)) {
                return context.sendResponse();
            }
            return Bodies.whole(context.response()).compose(whole -> {
                Bodies.object(whole).ifPresent(namespace -> {
                    namespace.withObjectProperty("metadata").put("uid", identity);
                    Bodies.replace(context.response(), Buffer.buffer(namespace.toString()));
                });
                return context.sendResponse();
            });
        }
    }

    /** One of them. */
    public static final class Front implements AutoCloseable {

        private final TlsProxy proxy;

        private Front(TlsProxy proxy) {
            this.proxy = proxy;
        }

        public int port() {
            return proxy.port();
        }

        @Override
        public void close() {
            TlsProxy.wait(proxy.shut());
        }
    }
}
