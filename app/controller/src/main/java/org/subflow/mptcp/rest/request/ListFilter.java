// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerResponseContext;
import javax.ws.rs.container.ContainerResponseFilter;
import javax.ws.rs.core.EntityTag;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MultivaluedMap;
import javax.ws.rs.core.Response;

/**
 * Answers with the part of a list that a client asks for. Parameters select elements by their fields; several values of one
 * parameter are alternatives. Then {@code offset} and {@code limit} choose a page; {@code X-Total-Count} says how many elements
 * there are on all pages.
 *
 * <p>{@code ETag} names the content, and a request whose {@code If-None-Match} has it gets status 304. A parameter that does not
 * exist gets status 400: a filter with a slip would list everything. So does a word that no element can have: one would list nothing.
 */
public final class ListFilter implements ContainerResponseFilter {
    /** Query parameter: how many elements to leave out. */
    public static final String OFFSET = "offset";
    /** Query parameter: how many elements to list at most. */
    public static final String LIMIT = "limit";
    /** Header: how many elements there are on all pages. */
    static final String TOTAL = "X-Total-Count";

    private static final Pattern NAMELESS = Pattern.compile("(^|&)=");

    private final String field;
    /** The fields that each parameter looks at. */
    private final Map<String, List<String>> selectors;
    /** The parameter that takes a few words, and these. */
    private final String worded;
    private final List<String> words;

    ListFilter(Listed listed) {
        this.field = listed.value();
        this.selectors = selectors(listed);
        this.worded = listed.of();
        this.words = words(listed);
    }

    /** Returns the words that the parameter {@link Listed#of()} takes. */
    public static List<String> words(Listed listed) {
        return Arrays.stream(listed.words().getEnumConstants()).map(word -> word.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toList());
    }

    /** Returns the parameters that select elements, each with the fields that it looks at. */
    public static Map<String, List<String>> selectors(Listed listed) {
        ImmutableMap.Builder<String, List<String>> selectors = ImmutableMap.builder();
        for (String text : listed.by()) {
            String[] parts = text.split("=");
            selectors.put(parts[0], List.of(parts[parts.length - 1].split(",")));
        }
        return selectors.build();
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getStatus() != Response.Status.OK.getStatusCode() || !(response.getEntity() instanceof ObjectNode)) {
            return;
        }
        ObjectNode root = (ObjectNode) response.getEntity();
        try {
            refuseNameless(request.getUriInfo().getRequestUri().getRawQuery());
            ArrayNode chosen = chosen(root, request.getUriInfo().getQueryParameters());
            response.getHeaders().putSingle(TOTAL, chosen.size());
            root.set(field, page(chosen, request.getUriInfo().getQueryParameters()));
        } catch (IllegalArgumentException e) {
            int status = Response.Status.BAD_REQUEST.getStatusCode();
            response.setStatus(status);
            response.setEntity(ErrorAnswers.body(status, e.getMessage()));
            return;
        }
        EntityTag tag = ContentTag.of(root);
        response.getHeaders().putSingle(HttpHeaders.ETAG, tag);
        if (request.getRequest().evaluatePreconditions(tag) != null) {
            response.setStatusInfo(Response.Status.NOT_MODIFIED);
            response.setEntity(null);
        }
    }

    /** Refuses a parameter without a name, which Jersey leaves out of those that it tells of. */
    public static void refuseNameless(String query) {
        if (query != null && NAMELESS.matcher(query).find()) {
            throw new IllegalArgumentException("a parameter has no name");
        }
    }

    private ArrayNode chosen(ObjectNode root, MultivaluedMap<String, String> parameters) {
        ArrayNode chosen = root.arrayNode();
        parameters.keySet().stream()
                .filter(name -> !name.equals(OFFSET) && !name.equals(LIMIT) && !selectors.containsKey(name))
                .forEach(name -> {
                    throw new IllegalArgumentException("'" + ReportFields.shown(name) + "' is no parameter; there are "
                            + OFFSET + ", " + LIMIT + (selectors.isEmpty() ? "" : ", " + String.join(", ", selectors.keySet())));
                });
        parameters.getOrDefault(worded, List.of()).stream().filter(word -> !words.contains(word)).forEach(word -> {
            throw new IllegalArgumentException(worded + " is one of " + String.join(", ", words) + ", not '" + ReportFields.shown(word)
                                                       + "'");
        });
        root.path(field).forEach(element -> {
            if (selectors.entrySet().stream().allMatch(selector -> !parameters.containsKey(selector.getKey())
                    || matches(element, selector.getValue(), parameters.get(selector.getKey())))) {
                chosen.add(element);
            }
        });
        return chosen;
    }

    private static boolean matches(JsonNode element, List<String> fields, List<String> values) {
        return fields.stream().anyMatch(name -> {
            JsonNode found = element.path(name);
            return found.isArray() ? StreamSupport.stream(found.spliterator(), false).anyMatch(one -> values.contains(one.asText()))
                    : !found.isNull() && !found.isMissingNode() && values.contains(found.asText());
        });
    }

    private static ArrayNode page(ArrayNode chosen, MultivaluedMap<String, String> parameters) {
        int offset = number(parameters, OFFSET, 0, 0);
        int limit = number(parameters, LIMIT, 1, Integer.MAX_VALUE);
        ArrayNode page = chosen.arrayNode();
        for (int index = offset; index < chosen.size() && page.size() < limit; index++) {
            page.add(chosen.get(index));
        }
        return page;
    }

    private static int number(MultivaluedMap<String, String> parameters, String name, int least, int otherwise) {
        if (!parameters.containsKey(name)) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(parameters.getFirst(name));
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The message below says enough.
        }
        throw new IllegalArgumentException(name + " is a whole number from " + least + " on");
    }
}
