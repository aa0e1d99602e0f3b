// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui;

import java.io.IOException;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Sets the headers of every file of the page: what the browser may load and for how long it may keep it.
 *
 * <p>Files whose names carry a hash of their content may be kept for ever; the index is asked for anew each time, so
 * that an updated application is seen at the next visit.
 */
public final class PageHeaders implements Filter {
    /** Everything from our own origin, no inline script or style, no frame around us, no HTML made of strings. */
    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            + "base-uri 'self'; form-action 'self'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types angular";

    private static final String HASHED = ".*-[0-9A-Z]{8}\\.(js|css)";

    @Override
    public void init(FilterConfig config) {
        // Nothing to prepare.
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletResponse answer = (HttpServletResponse) response;
        answer.setHeader("Content-Security-Policy", POLICY);
        answer.setHeader("X-Content-Type-Options", "nosniff");
        answer.setHeader("Referrer-Policy", "no-referrer");
        answer.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        boolean hashed = ((HttpServletRequest) request).getRequestURI().matches(HASHED);
        answer.setHeader("Cache-Control", hashed ? "private, max-age=31536000, immutable" : "no-cache");
        chain.doFilter(request, response);
    }

    @Override
    public void destroy() {
        // Nothing to release.
    }
}
