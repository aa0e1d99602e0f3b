// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.Setting;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.rest.request.ListFilter;
import org.subflow.mptcp.rest.request.Listed;

/** Writes the Swagger 2.0 document of the REST interface from the resources: routes by their annotations, words by their Javadoc. */
final class ApiDocument {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern ROUTE = Pattern.compile("\\{@code (GET|POST) " + ApiDocs.CONTEXT + "(\\S+)\\}: ");
    private static final Pattern STATUS = Pattern.compile("\\b([1-5]\\d\\d)\\b");
    private static final Pattern BRACED = Pattern.compile("\\{(\\w+)\\}");
    private static final String OK = "200";
    private static final String LOGIN = "login";
    private static final String TOKEN = "token";
    private static final java.nio.file.Path REQUESTS = java.nio.file.Path.of("src/test/resources/apidoc/requests.json");
    private static final java.nio.file.Path DEFINITIONS = java.nio.file.Path.of("src/test/resources/apidoc/definitions.json");
    /** What an operation answers, by a name of {@link #DEFINITIONS}. */
    private static final Map<String, String> ANSWERS = Map.ofEntries(
            Map.entry("GET /", "index"), Map.entry("GET /connections", "connections"), Map.entry("GET /connections/{id}", "connection"),
            Map.entry("POST /connections", "connection"), Map.entry("GET /connections/{id}/events", "events"),
            Map.entry("GET /connections/{id}/limits", "limits"), Map.entry("GET /events", "events"),
            Map.entry("GET /links", "links"), Map.entry("GET /topology", "topology"), Map.entry("GET /counters", "counters"),
            Map.entry("GET /settings", "settings"), Map.entry("PUT /settings", "settings"), Map.entry("GET /overlay", "overlay"),
            Map.entry("POST /whatif", "whatif"), Map.entry("GET /bound", "bound"), Map.entry("GET /cluster", "cluster"),
            Map.entry("GET /plan/background", "moves"), Map.entry("POST /reoptimize", "moves"),
            Map.entry("GET /policies", "policies"), Map.entry("PUT /policies", "policies"), Map.entry("GET /agents", "agents"),
            Map.entry("POST /agents/{host}", "registered"));

    /** What a servlet's operation is called. */
    private static final Map<String, String> NAMES = Map.of("GET", "listen", "POST", "report");

    private final ObjectNode root = MAPPER.createObjectNode();
    private final Map<String, ObjectNode> paths = new TreeMap<>();
    private final JsonNode requests;

    private ApiDocument() throws IOException {
        requests = MAPPER.readTree(REQUESTS.toFile());
    }

    /** Writes the document of these resources and servlets. */
    static ObjectNode of(List<Class<?>> resources, List<Class<?>> servlets) throws IOException {
        ApiDocument document = new ApiDocument();
        document.begin();
        for (Class<?> resource : resources) {
            document.resource(resource);
        }
        for (Class<?> servlet : servlets) {
            document.servlet(servlet);
        }
        return document.end();
    }

    private void begin() throws IOException {
        root.put("swagger", "2.0");
        root.putObject("info").put("version", "1.0").put("title", ApiDocs.TITLE)
                .put("description", "Rates are Mbit/s on the wire. Looking takes the role viewer, everything else the role admin.");
        root.put("basePath", ApiDocs.CONTEXT);
        root.putArray("produces").add("application/json");
        root.putArray("consumes").add("application/json");
        root.putArray("tags");
        root.putObject("paths");
        ObjectNode definitions = (ObjectNode) MAPPER.readTree(DEFINITIONS.toFile());
        Settings.ALL.forEach(setting -> setting((ObjectNode) definitions.get("settings"), setting, true));
        Policy.SETTINGS.forEach(setting -> setting((ObjectNode) definitions.get("policy"), setting, false));
        root.set("definitions", definitions);
        ObjectNode logins = root.putObject("securityDefinitions");
        logins.putObject(LOGIN).put("type", "basic");
        logins.putObject(TOKEN).put("type", "apiKey").put("in", "header").put("name", "Authorization")
                .put("description", "Bearer, and the token with which the host was registered");
    }

    /** Gives an object a field for a setting. */
    private static void setting(ObjectNode definition, Setting<?> setting, boolean isRequired) {
        ObjectNode field = ((ObjectNode) definition.get("properties")).putObject(setting.name())
                .put("type", setting.isNumber() ? "integer" : "string").put("description", setting.meaning());
        if (!setting.choices().isEmpty()) {
            setting.choices().forEach(field.putArray("enum")::add);
        }
        if (isRequired) {
            definition.withArray("required").add(setting.name());
        }
    }

    private ObjectNode end() {
        paths.forEach(((ObjectNode) root.get("paths"))::set);
        return root;
    }

    private void resource(Class<?> resource) throws IOException {
        Comments comments = Comments.of(resource);
        String base = "/" + resource.getAnnotation(Path.class).value();
        String tag = base.equals("/") ? "index" : base.substring(1).split("/")[0];
        ((ArrayNode) root.get("tags")).addObject().put("name", tag).put("description", comments.ofType());
        Stream.of(resource.getDeclaredMethods()).filter(method -> verb(method) != null)
                .sorted(Comparator.comparing(Method::getName))
                .forEach(method -> operation(base, tag, resource, method, comments.of(method.getName())));
    }

    /** Returns the HTTP method that a method answers; null if it answers none. */
    static String verb(Method method) {
        return Stream.of(GET.class, PUT.class, POST.class, DELETE.class).filter(method::isAnnotationPresent)
                .map(Class::getSimpleName).findFirst().orElse(null);
    }

    private void operation(String base, String tag, Class<?> resource, Method method, Comments.Comment comment) {
        Path below = method.getAnnotation(Path.class);
        String path = below == null ? base : base + "/" + below.value();
        ObjectNode operation = operation(path, verb(method), tag, comment).put("operationId", tag + "_" + method.getName());
        Produces produces = Stream.of(method.getAnnotation(Produces.class), resource.getAnnotation(Produces.class))
                .filter(one -> one != null).findFirst().orElse(null);
        if (produces != null) {
            Arrays.stream(produces.value()).forEach(operation.putArray("produces")::add);
        }
        String route = verb(method) + " " + path;
        ArrayNode parameters = operation.putArray("parameters");
        for (int number = 0; number < method.getParameterCount(); number++) {
            parameter(parameters, method.getParameters()[number], comment.parameter(number), requests.path(route));
        }
        ObjectNode responses = responses(operation, comment.returns());
        Listed listed = method.getAnnotation(Listed.class);
        if (listed != null) {
            list(parameters, listed);
            responses.putObject("304").put("description", "the list is that of If-None-Match");
            if (!responses.has("400")) {
                responses.putObject("400").put("description", "a parameter does not exist or is out of range");
            }
        }
        String answer = ANSWERS.get(route);
        responses.fields().forEachRemaining(response -> {
            boolean isSuccess = response.getKey().charAt(0) == '2';
            if (response.getKey().charAt(0) == '4' || isSuccess && answer != null) {
                ((ObjectNode) response.getValue()).putObject("schema").put("$ref", "#/definitions/" + (isSuccess ? answer : "error"));
            }
        });
        operation.putArray("security").addObject().putArray(LOGIN);
        // These are the web server's own, which are not JSON.
        responses.putObject("401").put("description", "without a login, or with a wrong one");
        if (!method.isAnnotationPresent(GET.class)) {
            responses.putObject("403").put("description", "without the role admin");
        }
        if (method.isAnnotationPresent(Consumes.class)) {
            responses.putObject("415").put("description", "if the body is not said to be JSON")
                    .putObject("schema").put("$ref", "#/definitions/error");
        }
    }

    private ObjectNode operation(String path, String verb, String tag, Comments.Comment comment) {
        ObjectNode operation = paths.computeIfAbsent(path, unused -> MAPPER.createObjectNode())
                .putObject(verb.toLowerCase(Locale.ROOT));
        operation.putArray("tags").add(tag);
        return operation.put("summary", comment.summary()).put("description", comment.rest());
    }

    private static void parameter(ArrayNode parameters, Parameter parameter, String words, JsonNode request) {
        if (parameter.isAnnotationPresent(PathParam.class)) {
            parameters.addObject().put("name", parameter.getAnnotation(PathParam.class).value()).put("in", "path")
                    .put("description", words).put("required", true).put("type", "string");
        } else if (parameter.isAnnotationPresent(QueryParam.class)) {
            several(parameters, parameter.getAnnotation(QueryParam.class).value(), words);
        } else if (!parameter.isAnnotationPresent(Context.class)) {
            body(parameters, words, request);
        }
    }

    private static void body(ArrayNode parameters, String words, JsonNode request) {
        if (request.isMissingNode()) {
            throw new IllegalStateException(REQUESTS + " has no example of: " + words);
        }
        parameters.addObject().put("name", "body").put("in", "body").put("description", words)
                .put("required", !request.path("mayBeEmpty").asBoolean()).set("schema", ExampleSchema.ofRequest(request));
    }

    private static ObjectNode several(ArrayNode parameters, String name, String words) {
        return parameters.addObject().put("name", name).put("in", "query").put("description", words).put("required", false)
                .put("type", "array").put("collectionFormat", "multi").putObject("items").put("type", "string");
    }

    private static void list(ArrayNode parameters, Listed listed) {
        parameters.addObject().put("name", ListFilter.OFFSET).put("in", "query").put("required", false)
                .put("description", "how many elements to leave out").put("type", "integer").put("minimum", 0);
        parameters.addObject().put("name", ListFilter.LIMIT).put("in", "query").put("required", false)
                .put("description", "how many elements to list at most").put("type", "integer").put("minimum", 1);
        ListFilter.selectors(listed).forEach((name, fields) -> {
            ObjectNode items = several(parameters, name, "only elements with one of these values in " + String.join(" or ", fields));
            if (name.equals(listed.of())) {
                ListFilter.words(listed).forEach(items.putArray("enum")::add);
            }
        });
    }

    /** Writes the statuses that a text such as "200 with the list; 404 if there is none" tells of. */
    private static ObjectNode responses(ObjectNode operation, String text) {
        ObjectNode responses = operation.putObject("responses");
        Matcher status = STATUS.matcher(text);
        for (boolean found = status.find(); found;) {
            String number = status.group(1);
            int begin = status.end();
            found = status.find();
            String words = text.substring(begin, found ? status.start() : text.length())
                    .replaceAll("^[\\s,;]+|[\\s,;]*(\\bor\\b)?[\\s,;]*$", "");
            responses.putObject(number).put("description", words.isEmpty() ? "done" : words);
        }
        return responses;
    }

    private void servlet(Class<?> servlet) throws IOException {
        String text = Comments.of(servlet).ofTypeWithMarkup();
        Matcher route = ROUTE.matcher(text);
        if (!route.find()) {
            throw new IllegalStateException(servlet + " does not say its route");
        }
        String path = route.group(2).replaceAll("\\bHOST\\b", "{host}");
        Comments.Comment comment = Comments.Comment.of(text.substring(route.end()));
        String tag = path.substring(1).split("/")[0];
        ObjectNode operation = operation(path, route.group(1), tag, comment).put("operationId", tag + "_" + NAMES.get(route.group(1)));
        ArrayNode parameters = operation.putArray("parameters");
        Matcher name = BRACED.matcher(path);
        while (name.find()) {
            parameters.addObject().put("name", name.group(1)).put("in", "path").put("description", name.group(1))
                    .put("required", true).put("type", "string");
        }
        if (route.group(1).equals("POST")) {
            body(parameters, "what the host says", requests.path("POST " + path));
        }
        operation.putArray("security").addObject().putArray(route.group(1).equals("POST") ? TOKEN : LOGIN);
        responses(operation, OK + " with the answer; " + Stream.of(comment.rest().split("\\. "))
                .filter(sentence -> STATUS.matcher(sentence).find())
                .map(sentence -> sentence.substring(sentence.indexOf(STATUS.matcher(sentence).results().findFirst().get().group())))
                .collect(Collectors.joining("; ")));
    }
}
