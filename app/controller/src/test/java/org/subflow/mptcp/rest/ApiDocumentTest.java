// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.ws.rs.Path;
import org.junit.jupiter.api.Test;

/**
 * The Swagger document that the bundle has is that of its resources, and so is {@code docs/reference/rest.md}. To write both anew
 * after a change:
 *
 * <pre>mvn test -pl app/core,app/controller -Dtest=ApiDocumentTest -Dsurefire.failIfNoSpecifiedTests=false -Dmptcp.golden=write</pre>
 */
class ApiDocumentTest {
    private static final java.nio.file.Path FILE = java.nio.file.Path.of("src/main/resources/apidoc/swagger.json");
    private static final java.nio.file.Path REFERENCE = java.nio.file.Path.of("../../docs/reference/rest.md");
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final Pattern SERVLET = Pattern.compile("<servlet-class>(org\\.subflow\\.[\\w.]+)</servlet-class>");

    private static List<Class<?>> resources() {
        return new MptcpWebApplication().getClasses().stream().filter(type -> type.isAnnotationPresent(Path.class))
                .sorted(Comparator.comparing(type -> type.getAnnotation(Path.class).value())).collect(Collectors.toList());
    }

    private static List<Class<?>> servlets() throws Exception {
        List<Class<?>> servlets = new ArrayList<>();
        Matcher servlet = SERVLET.matcher(Files.readString(java.nio.file.Path.of("src/main/webapp/WEB-INF/web.xml")));
        while (servlet.find()) {
            servlets.add(Class.forName(servlet.group(1)));
        }
        return servlets;
    }

    @Test
    void theBundleHasTheDocumentOfItsResources() throws Exception {
        JsonNode now = ApiDocument.of(resources(), servlets());
        if ("write".equals(System.getProperty("mptcp.golden"))) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, MAPPER.writeValueAsString(now) + "\n");
        }
        assertEquals(MAPPER.writeValueAsString(MAPPER.readTree(FILE.toFile())), MAPPER.writeValueAsString(now),
                     FILE + " is not that of the resources; the comment of this test says how to write it anew");
        try (InputStream found = ApiDocs.class.getResourceAsStream("/apidoc/swagger.json")) {
            assertEquals(MAPPER.readTree(FILE.toFile()), MAPPER.readTree(found));
        }
    }

    @Test
    void theReferenceIsThatOfTheDocument() throws Exception {
        String now = ApiReference.of(ApiDocument.of(resources(), servlets()));
        if ("write".equals(System.getProperty("mptcp.golden"))) {
            Files.createDirectories(REFERENCE.getParent());
            Files.writeString(REFERENCE, now);
        }
        assertEquals(Files.readString(REFERENCE), now,
                     REFERENCE + " is not that of the resources; the comment of this test says how to write it anew");
    }

    @Test
    void everyRouteIsInTheDocumentAndNoOther() throws Exception {
        Set<String> routes = new TreeSet<>(Set.of("GET /stream", "POST /agents/report/{host}"));
        for (Class<?> resource : resources()) {
            for (Method method : resource.getDeclaredMethods()) {
                if (ApiDocument.verb(method) != null) {
                    Path below = method.getAnnotation(Path.class);
                    routes.add(ApiDocument.verb(method) + " /" + resource.getAnnotation(Path.class).value()
                                       + (below == null ? "" : "/" + below.value()));
                }
            }
        }
        assertTrue(routes.contains("DELETE /connections/{id}"), routes::toString);
        Set<String> documented = new TreeSet<>();
        document().path("paths").fields().forEachRemaining(path -> path.getValue().fieldNames().forEachRemaining(
                verb -> documented.add(verb.toUpperCase(Locale.ROOT) + " " + path.getKey())));
        assertEquals(routes, documented);
    }

    @Test
    void everyOperationSaysWhatItAnswersAndTakes() throws Exception {
        document().path("paths").fields().forEachRemaining(path -> path.getValue().forEach(operation -> {
            assertFalse(operation.path("summary").asText().isEmpty(), path::toString);
            assertTrue(operation.path("responses").size() > 0, path::toString);
            operation.path("responses").forEach(response -> assertFalse(response.path("description").asText().isEmpty(), path::toString));
            Set<String> named = new TreeSet<>();
            operation.path("parameters").forEach(parameter -> {
                assertFalse(parameter.path("description").asText().isEmpty(), path::toString);
                if (parameter.path("in").asText().equals("path")) {
                    named.add("{" + parameter.path("name").asText() + "}");
                }
            });
            assertEquals(Pattern.compile("\\{\\w+\\}").matcher(path.getKey()).results().map(found -> found.group())
                                 .collect(Collectors.toCollection(TreeSet::new)), named);
        }));
    }

    private static JsonNode document() throws IOException {
        return MAPPER.readTree(FILE.toFile());
    }
}
