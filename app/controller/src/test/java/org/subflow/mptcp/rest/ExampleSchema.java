// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Schemas of Swagger 2.0 for the bodies of requests, from examples of them. */
final class ExampleSchema {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ExampleSchema() {
    }

    /**
     * Returns the schema of a request's body.
     *
     * @param request an object with {@code example}, a body, and {@code optional}, the names of fields that can be left out
     */
    static ObjectNode ofRequest(JsonNode request) {
        Set<String> optional = new TreeSet<>();
        request.path("optional").forEach(name -> optional.add(name.asText()));
        ObjectNode schema = schema(List.of(request.path("example")), optional);
        schema.set("example", request.path("example"));
        return schema;
    }

    /** Returns the schema of values that look like these; {@code optional} are the names of fields that can be left out. */
    private static ObjectNode schema(List<JsonNode> examples, Set<String> optional) {
        List<JsonNode> known = examples.stream().filter(example -> !example.isNull()).collect(Collectors.toList());
        Set<String> types = known.stream().map(ExampleSchema::type).collect(Collectors.toCollection(TreeSet::new));
        ObjectNode schema = MAPPER.createObjectNode();
        if (types.size() != 1) {
            // Nothing is known of what is null in all examples, and Swagger 2.0 has no word for one of several types.
            return schema;
        }
        String type = types.iterator().next();
        boolean isWhole = known.stream().allMatch(JsonNode::isIntegralNumber);
        schema.put("type", isWhole ? "integer" : type);
        if (known.size() < examples.size()) {
            schema.put("x-nullable", true);
        }
        if (type.equals("object")) {
            fields(schema, known, optional);
        } else if (type.equals("array")) {
            List<JsonNode> items = new ArrayList<>();
            known.forEach(array -> array.forEach(items::add));
            schema.set("items", schema(items, optional));
        }
        return schema;
    }

    private static void fields(ObjectNode schema, List<JsonNode> known, Set<String> optional) {
        ObjectNode properties = schema.putObject("properties");
        for (JsonNode object : known) {
            object.fieldNames().forEachRemaining(name -> {
                if (!properties.has(name)) {
                    properties.set(name, schema(known.stream().filter(one -> one.has(name)).map(one -> one.get(name))
                                                        .collect(Collectors.toList()), optional));
                }
            });
        }
        ArrayNode required = MAPPER.createArrayNode();
        properties.fieldNames().forEachRemaining(name -> {
            if (!optional.contains(name)) {
                required.add(name);
            }
        });
        // An empty list is no schema.
        if (required.size() > 0) {
            schema.set("required", required);
        }
    }

    private static String type(JsonNode value) {
        return value.isObject() ? "object" : value.isArray() ? "array" : value.isNumber() ? "number"
                : value.isBoolean() ? "boolean" : "string";
    }
}
