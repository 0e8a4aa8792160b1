package dev.slipway.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses changes that another site's page asks a signed-in browser for.
 *
 * <p>A browser sends remembered Basic credentials with every request, whoever made it, and there is no session with a
 * token then. But the browser itself says where the request comes from: {@code Sec-Fetch-Site}, or {@code Origin} where
 * that is not sent. Programs send neither and are not concerned. For sessions it is the second line, behind the token
 * and the cookie's {@code SameSite}.
 */
final class CrossSiteFilter extends OncePerRequestFilter {

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
    private static final Set<String> OWN = Set.of("same-origin", "none");

    private final Refusals refusals;

    CrossSiteFilter(Refusals refusals) {
        this.refusals = refusals;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (READING.contains(request.getMethod()) || !fromAnotherSite(request)) {
            chain.doFilter(request, response);
            return;
        }
        refusals.crossSite(request, response);
    }

    private static boolean fromAnotherSite(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return !OWN.contains(site.toLowerCase(Locale.ROOT));
        }
        String origin = request.getHeader("Origin");
        return origin != null && !sameHost(origin, request.getHeader("Host"));
    }

    private static boolean sameHost(String origin, String host) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
