package dev.slipway.security;

import dev.slipway.audit.AuditOrigins;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/** Tells the audit book by what way the caller signed in. */
final class OriginFilter extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Caller.current()
                .ifPresent(caller ->
                        request.setAttribute(AuditOrigins.VIA, caller.via().text()));
        chain.doFilter(request, response);
    }
}
