// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.PreMatching;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response.Status;

/**
 * Refuses what a page of another site has a browser send, with the login that the browser keeps (cross-site request forgery):
 * requests that may change something, whose {@code Sec-Fetch-Site} or {@code Origin} names another site. Programs send neither. A
 * body must say that it is JSON, which a form of a page cannot.
 *
 * <p>Source: Fetch Metadata Request Headers (W3C), section 2.4; RFC 6454, section 7.
 */
@PreMatching
public final class SameOriginFilter implements ContainerRequestFilter {
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> OWN = Set.of("same-origin", "none");

    @Override
    public void filter(ContainerRequestContext request) {
        if (READING.contains(request.getMethod())) {
            return;
        }
        if (!isFromHere(request)) {
            refuse(request, Status.FORBIDDEN, "a page of another site must not change anything here");
        } else if (request.getLength() > 0 && !isJson(request.getMediaType())) {
            refuse(request, Status.UNSUPPORTED_MEDIA_TYPE, ErrorAnswers.NOT_JSON);
        }
    }

    private static boolean isFromHere(ContainerRequestContext request) {
        String site = request.getHeaderString("Sec-Fetch-Site");
        if (site != null) {
            return OWN.contains(site.toLowerCase(Locale.ROOT));
        }
        String origin = request.getHeaderString("Origin");
        return origin == null || isHost(origin, request.getHeaderString(HttpHeaders.HOST));
    }

    private static boolean isHost(String origin, String host) {
        try {
            return URI.create(origin).getRawAuthority() != null && URI.create(origin).getRawAuthority().equalsIgnoreCase(host);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isJson(MediaType type) {
        return type != null && type.isCompatible(MediaType.APPLICATION_JSON_TYPE) && !type.isWildcardType();
    }

    private static void refuse(ContainerRequestContext request, Status status, String message) {
        request.abortWith(ErrorAnswers.of(status.getStatusCode(), message));
    }
}
