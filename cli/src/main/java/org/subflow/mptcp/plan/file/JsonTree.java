// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A document in JSON, whole, with the lines of its objects. Immutable once it is read. */
final class JsonTree {
    private static final int DEEPEST = 50;

    /** The line in which the value begins. */
    final int line;
    private final String name;
    private final Map<String, JsonTree> fields = new LinkedHashMap<>();
    private final List<JsonTree> elements = new ArrayList<>();
    private String text;

    private JsonTree(String name, int line) {
        this.name = name;
        this.line = line;
    }

    static JsonTree read(String name, Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(name, in);
        }
    }

    static JsonTree read(String name, InputStream in) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(in)) {
            json.nextToken();
            return value(name, json, 0);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(name + ": not JSON" + (e.getLocation() == null ? ""
                    : " at line " + e.getLocation().getLineNr()) + ": " + e.getOriginalMessage(), e);
        }
    }

    private static JsonTree value(String name, JsonParser json, int depth) throws IOException {
        JsonTree tree = new JsonTree(name, json.getTokenLocation().getLineNr());
        if (depth > DEEPEST) {
            throw tree.bad("values lie more than " + DEEPEST + " deep");
        }
        if (json.currentToken() == JsonToken.START_OBJECT) {
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.getCurrentName();
                json.nextToken();
                tree.fields.put(field, value(name, json, depth + 1));
            }
        } else if (json.currentToken() == JsonToken.START_ARRAY) {
            while (json.nextToken() != JsonToken.END_ARRAY) {
                tree.elements.add(value(name, json, depth + 1));
            }
        } else if (json.currentToken() != JsonToken.VALUE_NULL) {
            tree.text = json.getText();
        }
        return tree;
    }

    /** Returns the fields of an object in their order; empty for any other value. */
    Map<String, JsonTree> fields() {
        return fields;
    }

    /** Returns the elements of a list, or what an object's fields have; empty for any other value. */
    List<JsonTree> elements() {
        return elements;
    }

    /** Returns a field; one without anything if it is not there. */
    JsonTree at(String field) {
        return fields.getOrDefault(field, new JsonTree(name, line));
    }

    /** Returns a text or number as text; null if it is neither. */
    String text() {
        return text;
    }

    /** Returns a field's text, which must be there. */
    String text(String field) {
        String found = at(field).text;
        if (found == null) {
            throw bad("there is no \"" + field + "\"");
        }
        return found;
    }

    /** Returns a number; null if there is none. */
    Double number() {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return Double.valueOf(text.trim());
        } catch (NumberFormatException e) {
            throw bad("'" + text + "' is no number");
        }
    }

    IllegalArgumentException bad(String what) {
        return new IllegalArgumentException(name + ", line " + line + ": " + what);
    }
}
