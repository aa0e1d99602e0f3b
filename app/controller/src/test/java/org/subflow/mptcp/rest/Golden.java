// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The golden files: what REST and the stream answer in {@link Scene}. The tests of the page read the same files
 * ({@code gui/page/test/golden.test.ts}), so that neither side changes alone.
 *
 * <p>{@code -Dmptcp.golden=write} writes them anew.
 */
public final class Golden {
    private static final Path FOLDER = Path.of("src/test/resources/golden");
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final boolean WRITES = "write".equals(System.getProperty("mptcp.golden"));

    private Golden() {
    }

    /** Reads a golden file. */
    public static JsonNode read(String name) throws IOException {
        return MAPPER.readTree(file(name).toFile());
    }

    /** Fails if an answer differs from its golden file, and says in which fields. */
    public static void check(String name, JsonNode answer) throws IOException {
        // Through text, as on the wire: a Java long and an int are the same number there.
        JsonNode now = MAPPER.readTree(MAPPER.writeValueAsString(answer));
        if (WRITES) {
            Files.createDirectories(FOLDER);
            Files.writeString(file(name), MAPPER.writeValueAsString(now) + "\n");
            return;
        }
        List<String> differences = new ArrayList<>();
        compare("", read(name), now, differences);
        if (!differences.isEmpty()) {
            fail(file(name) + " differs:\n  " + String.join("\n  ", differences)
                         + "\nIf the change is meant, write the files anew and look at what git says has changed:\n"
                         + "  mvn test -pl app/core,app/controller -Dtest=GoldenJsonTest"
                         + " -Dsurefire.failIfNoSpecifiedTests=false -Dmptcp.golden=write\n"
                         + "then follow in gui/page/app/model/wire.ts.");
        }
    }

    private static Path file(String name) {
        return FOLDER.resolve(name + ".json");
    }

    private static void compare(String at, JsonNode golden, JsonNode now, List<String> differences) {
        if (golden.isObject() && now.isObject()) {
            Set<String> names = new TreeSet<>();
            golden.fieldNames().forEachRemaining(names::add);
            now.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                compare(at + "/" + name, golden.path(name), now.path(name), differences);
            }
        } else if (golden.isArray() && now.isArray() && golden.size() == now.size()) {
            for (int i = 0; i < golden.size(); i++) {
                compare(at + "/" + i, golden.get(i), now.get(i), differences);
            }
        } else if (!golden.equals(now)) {
            differences.add(at + ": golden " + text(golden) + ", now " + text(now));
        }
    }

    private static String text(JsonNode node) {
        return node.isMissingNode() ? "absent" : node.toString();
    }
}
