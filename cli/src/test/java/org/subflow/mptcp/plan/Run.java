// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One run of the planner and its result. */
final class Run {
    final int status;
    final String out;
    final String err;

    Run(int status, String out, String err) {
        this.status = status;
        this.out = out;
        this.err = err;
    }

    /** Runs the planner in this virtual machine. */
    static Run plan(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = Planner.run(arguments, new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Run(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Runs the planner and expects an answer and nothing on standard error. */
    static JsonNode planned(String... arguments) {
        Run run = plan(arguments);
        assertEquals("", run.err);
        assertEquals(0, run.status);
        return run.json();
    }

    JsonNode json() {
        try {
            return new ObjectMapper().readTree(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Expects status 2, nothing on standard output, and one line on standard error with these words. */
    void assertRefused(String... says) {
        assertEquals(2, status, err);
        assertEquals("", out);
        assertTrue(err.matches("lab: plan: [^\\n]+\\n"), "not one line: " + err);
        for (String word : says) {
            assertTrue(err.contains(word), "'" + word + "' is not in: " + err);
        }
    }

    /** Returns the paths of one connection, nodes joined by hyphens. */
    static List<String> paths(JsonNode plan, int connection) {
        List<String> paths = new ArrayList<>();
        for (JsonNode subflow : plan.get("connections").get(connection).get("subflows")) {
            List<String> nodes = new ArrayList<>();
            subflow.get("path").forEach(node -> nodes.add(node.asText()));
            paths.add(String.join("-", nodes));
        }
        return paths;
    }

    static double expected(JsonNode plan, int connection) {
        return plan.get("connections").get(connection).get("expectedMbps").asDouble();
    }

    /** Writes a file and returns its path. */
    static String file(Path folder, String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
