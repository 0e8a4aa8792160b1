package dev.slipway.audit;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * By what way the current thread's deeds came.
 *
 * <p>Within a request it is the way that the caller signed in, and the caller's address. Without one it is Slipway
 * itself, unless whoever acts for somebody says otherwise.
 */
public final class AuditOrigins {

    /** The request's attribute with the way that the caller signed in: {@code session}, {@code oidc}, {@code basic}, … */
    public static final String VIA = "dev.slipway.via";

    private static final String SLIPWAY = "slipway";

    private final ThreadLocal<@Nullable String> acting = new ThreadLocal<>();

    /** A way and an address. */
    record Origin(String via, @Nullable String address) {}

    /**
     * Does something that came by another way than the current request.
     *
     * @param via for example {@code annotation}
     */
    public <T> T during(String via, Supplier<T> work) {
        @Nullable String before = acting.get();
        acting.set(via);
        try {
            return work.get();
        } finally {
            if (before == null) {
                acting.remove();
            } else {
                acting.set(before);
            }
        }
    }

    Origin current() {
        String via = acting.get();
        HttpServletRequest request = RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes web
                ? web.getRequest()
                : null;
        if (request == null) {
            return new Origin(via == null ? SLIPWAY : via, null);
        }
        return new Origin(via == null ? of(request) : via, request.getRemoteAddr());
    }

    private static String of(HttpServletRequest request) {
        String path = request.getRequestURI().substring(request.getContextPath().length());
        if (path.startsWith("/camunda/")) {
            return "webapps";
        }
        if (path.startsWith("/engine-rest/")) {
            return "engine-rest";
        }
        return request.getAttribute(VIA) instanceof String via ? via : "basic";
    }
}
