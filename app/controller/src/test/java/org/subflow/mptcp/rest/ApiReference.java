// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/** Writes the reference of REST, {@code docs/reference/rest.md}, from the Swagger document. */
final class ApiReference {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final JsonNode document;
    private final StringBuilder text = new StringBuilder();

    private ApiReference(JsonNode document) {
        this.document = document;
    }

    /** Returns the reference of a Swagger document. */
    static String of(JsonNode document) throws JsonProcessingException {
        ApiReference reference = new ApiReference(document);
        reference.write();
        return reference.text.toString();
    }

    private void write() throws JsonProcessingException {
        line("<!-- SPDX-License-Identifier: Apache-2.0 -->");
        line("# Reference of REST");
        line("");
        line("Written from the resources; `ApiDocumentTest` compares it with them, and says how to write it anew.");
        line("[REST and commands](../rest-and-cli.md#rest) explains the fields. Paths are below `" + document.path("basePath").asText() + "`.");
        line(document.at("/info/description").asText());
        Iterator<Map.Entry<String, JsonNode>> paths = document.path("paths").fields();
        while (paths.hasNext()) {
            Map.Entry<String, JsonNode> path = paths.next();
            Iterator<Map.Entry<String, JsonNode>> operations = path.getValue().fields();
            while (operations.hasNext()) {
                Map.Entry<String, JsonNode> operation = operations.next();
                operation(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(), operation.getValue());
            }
        }
    }

    private void operation(String route, JsonNode operation) throws JsonProcessingException {
        line("");
        line("## " + route);
        line("");
        line(operation.path("summary").asText() + ".");
        String more = operation.path("description").asText();
        if (!more.isEmpty()) {
            line("");
            line(more);
        }
        JsonNode example = null;
        if (operation.path("parameters").size() > 0) {
            line("");
            line("| parameter | where | type | meaning |");
            line("|---|---|---|---|");
            for (JsonNode parameter : operation.path("parameters")) {
                row("`" + parameter.path("name").asText() + "`", parameter.path("in").asText(),
                    parameter.path("type").asText(parameter.at("/schema/type").asText()), parameter.path("description").asText());
                example = parameter.path("schema").has("example") ? parameter.at("/schema/example") : example;
            }
        }
        if (example != null) {
            line("");
            line("```json");
            line(MAPPER.writeValueAsString(example));
            line("```");
        }
        line("");
        line("| status | |");
        line("|---|---|");
        operation.path("responses").fields().forEachRemaining(
                response -> row(response.getKey(), response.getValue().path("description").asText()));
    }

    private void row(String... cells) {
        line("| " + String.join(" | ", cells).replaceAll("(?<! )\\|(?! )", "\\\\|") + " |");
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
