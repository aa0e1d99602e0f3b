// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the three forms of output with files; only times may differ. */
class OutputTest {
    private static final String TWO = "[{\"id\": \"up\", \"source\": \"s\", \"target\": \"t\", \"subflows\": 3},\n"
            + "{\"id\": \"down\", \"source\": \"t\", \"target\": \"a\", \"subflows\": 4, \"capMbps\": 5}]";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"json", "table", "dot"})
    void looksAsItAlwaysDid(String format) throws IOException {
        String connections = Run.file(folder, "two.json", TWO);
        Run run = Run.plan("--topology", "sheu8", "--connections", connections, "--join", "backup", "--format", format);
        assertEquals("", run.err);
        assertEquals(0, run.status);
        assertEquals(golden("two." + format), withoutTimes(run.out));
    }

    @ParameterizedTest
    @ValueSource(strings = {"widest-disjoint", "k-max-min", "k-max", "shortest", "link-disjoint", "node-disjoint",
            "zone-disjoint", "multiflow", "network-wide", "resource-pool", "ecmp"})
    void saysTheSameTwice(String strategy) {
        String[] arguments = {"--topology", "os3e", "--from", "Seattle", "--to", "Miami", "--strategy", strategy, "--k", "4"};
        assertEquals(withoutTimes(Run.plan(arguments).out), withoutTimes(Run.plan(arguments).out));
    }

    @Test
    void whyAConnectionGetsWhatItGets() {
        JsonNode connection = Run.planned("--topology", "diamond", "--from", "1", "--to", "5", "--why").get("connections").get(0);
        assertFalse(connection.get("limitedByDemand").asBoolean());
        assertTrue(connection.get("limitedBy").size() > 0 && connection.get("minimumCut").size() > 0, connection.toString());
        String table = Run.plan("--topology", "diamond", "--from", "1", "--to", "5", "--why", "--format", "table").out;
        assertTrue(table.contains(" is full: ") && table.contains("disjoint paths at most: all lead over "), table);
        assertNull(Run.planned("--topology", "diamond", "--from", "1", "--to", "5").get("connections").get(0).get("limitedBy"));
    }

    @Test
    void hasTheFieldsThatProgramsRelyOn() {
        JsonNode plan = Run.planned("--topology", "diamond", "--from", "1", "--to", "5");
        assertEquals(List.of("strategy", "allocator", "connections", "links", "pathMicros", "allocationMicros"), names(plan));
        assertTrue(names(plan.get("connections").get(0)).containsAll(
                List.of("id", "expectedMbps", "availableMbps", "fairMbps", "subflows")));
        assertEquals(List.of("path", "bottleneckMbps", "expectedMbps"),
                names(plan.get("connections").get(0).get("subflows").get(0)));
        assertEquals(List.of("source", "target", "capacityMbps", "expectedMbps"), names(plan.get("links").get(0)));
    }

    @Test
    void theBoundSaysHowGoodThePlanIs() {
        JsonNode plan = Run.planned("--topology", "fig1", "--connections", Run.file(folder, "one.json",
                "[{\"source\": \"a1\", \"target\": \"b1\", \"subflows\": 1}]"), "--bound");
        JsonNode bound = plan.get("bound");
        assertEquals(List.of("sumMbps", "sumFraction", "smallestMbps", "smallestFraction", "error"), names(bound));
        double best = plan.get("connections").get(0).get("boundMbps").asDouble();
        assertEquals(best, bound.get("sumMbps").asDouble());
        assertEquals(Run.expected(plan, 0) / best, bound.get("sumFraction").asDouble(), 1e-6);
        assertTrue(plan.has("boundMicros"));
    }

    @Test
    void theBoundOfACappedConnectionIsItsCap() {
        JsonNode plan = Run.planned("--topology", "diamond", "--connections", Run.file(folder, "capped.json",
                "[{\"source\": \"1\", \"target\": \"5\", \"capMbps\": 4}]"), "--bound");
        assertEquals(4, plan.get("connections").get(0).get("boundMbps").asDouble());
        assertTrue(plan.get("bound").get("smallestMbps").isNull(), "the network holds nobody");
        assertEquals(1, plan.get("bound").get("smallestFraction").asDouble());
    }

    @Test
    void helpNamesEveryOption() {
        Run run = Run.plan("--help");
        assertEquals(0, run.status);
        for (String option : List.of("--topology", "--capacity", "--from", "--to", "--connections", "--k", "--strategy",
                "--disjoint", "--m", "--exact", "--prefer", "--join", "--first", "--bound", "--allocator", "--seed", "--format")) {
            assertTrue(run.out.contains("  " + option + " ") || run.out.contains(" " + option + " "), option);
        }
        for (String line : run.out.split("\n")) {
            assertTrue(line.length() <= 120, line);
        }
    }

    @Test
    void quotesNamesInDrawings() {
        String file = Run.file(folder, "odd.json", "{\"nodes\": [{\"id\": \"a \\\"b\\\\\"}, {\"id\": \"é\"}], \"links\": "
                + "[{\"source\": \"a \\\"b\\\\\", \"target\": \"é\", \"capacityMbps\": 0.5}]}");
        String out = Run.plan("--topology", file, "--from", "é", "--to", "a \"b\\", "--k", "1", "--format", "dot").out;
        assertTrue(out.contains("  \"é\" -> \"a \\\"b\\\\\" [color=1, label=\"c1.1 0.5\"]\n"), out);
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static String withoutTimes(String text) {
        return text.replaceAll("(Micros\" : |paths in |allocation in )[0-9]+", "$1#");
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = OutputTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
