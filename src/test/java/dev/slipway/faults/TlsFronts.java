package dev.slipway.faults;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.Pki;
import io.vertx.core.Vertx;
import io.vertx.httpproxy.ProxyInterceptor;

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

    @Override
    public void close() {
        TlsProxy.wait(vertx.close());
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
