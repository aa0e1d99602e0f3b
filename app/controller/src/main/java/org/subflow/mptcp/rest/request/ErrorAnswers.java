// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServletResponse;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerResponseContext;
import javax.ws.rs.container.ContainerResponseFilter;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.Response.Status;

/**
 * Errors as JSON with {@code code}, the status, and {@code message}, as ONOS's own REST interface has them. As a filter it gives
 * that body to those that come without one: JAX-RS itself refuses methods, addresses and types.
 */
public final class ErrorAnswers implements ContainerResponseFilter {
    /** What is wrong with a body of another type, and what to do. */
    static final String NOT_JSON = "the body must be JSON: send Content-Type: application/json";

    /**
     * Makes the body of an error.
     *
     * @param status  the status
     * @param message what is wrong; not null
     * @return the body; not null
     */
    public static ObjectNode body(int status, String message) {
        return JsonNodeFactory.instance.objectNode().put("code", status).put("message", message);
    }

    /**
     * Makes the answer of a resource.
     *
     * @param status  the status
     * @param message what is wrong; not null
     * @return the answer; not null
     */
    public static Response of(int status, String message) {
        return Response.status(status).type(MediaType.APPLICATION_JSON_TYPE).entity(body(status, message).toString()).build();
    }

    /**
     * Writes the answer of a servlet.
     *
     * @param response where to; not null
     * @param status   the status
     * @param message  what is wrong; not null
     * @throws IOException if the client has gone
     */
    public static void write(HttpServletResponse response, int status, String message) throws IOException {
        response.setStatus(status);
        response.setContentType(MediaType.APPLICATION_JSON);
        response.getOutputStream().write(body(status, message).toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getStatus() >= Status.BAD_REQUEST.getStatusCode() && !response.hasEntity()) {
            response.setEntity(body(response.getStatus(), message(request, response)).toString(), null,
                               MediaType.APPLICATION_JSON_TYPE);
        }
    }

    private static String message(ContainerRequestContext request, ContainerResponseContext response) {
        switch (Status.fromStatusCode(response.getStatus())) {
            case METHOD_NOT_ALLOWED:
                return notAllowed(request.getMethod(), response.getHeaderString(HttpHeaders.ALLOW));
            case UNSUPPORTED_MEDIA_TYPE:
                return NOT_JSON;
            case NOT_ACCEPTABLE:
                return "the answer is of another type than Accept says: send Accept: application/json, or */*";
            default:
                return response.getStatusInfo().getReasonPhrase();
        }
    }

    /** Says that a method is not possible, and which are; null if nobody knows. */
    static String notAllowed(String method, String allowed) {
        return method + " is not possible here" + (allowed == null ? "" : ": send one of " + allowed);
    }
}
