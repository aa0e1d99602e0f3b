// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Delays and shared-risk link groups of links, from files to the paths of a plan. */
class DelayAndRiskTest {
    private static final String NODES = "{\"nodes\": [{\"id\": \"s\"}, {\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\"}, "
            + "{\"id\": \"t\"}],\n\"links\": [";

    @TempDir
    Path folder;

    /** Three paths of 2, 20 and 200 ms; the first two have links in the same duct. */
    private String net() {
        return Run.file(folder, "net.json", NODES + link("s", "a", 10, 1, "\"duct\"") + "," + link("a", "t", 10, 1, "") + ","
                + link("s", "b", 10, 10, "") + "," + link("b", "t", 10, 10, "\"duct\", \"bridge\"") + ","
                + link("s", "c", 50, 100, "") + "," + link("c", "t", 50, 100, "\"sea\"") + "]}");
    }

    private static String link(String source, String target, double mbps, double millis, String groups) {
        return "{\"source\": \"" + source + "\", \"target\": \"" + target + "\", \"capacityMbps\": " + mbps
                + ", \"delayMillis\": "
                + millis + ", \"srlg\": [" + groups + "]}";
    }

    @Test
    void byDefaultFarPathsAreLeftOutAsInTheController() {
        assertEquals(List.of("s-a-t", "s-b-t"), paths(planned("--join", "block")));
    }

    @Test
    void withoutLimitsAllPathsAreTaken() {
        JsonNode connection = planned("--max-delay-spread", "1e6");
        assertEquals(List.of("s-c-t", "s-a-t", "s-b-t"), paths(connection));
        assertEquals(200, connection.get("subflows").get(0).get("delayMillis").asDouble());
        assertEquals("[\"link\",\"node\"]", connection.get("disjointIn").toString(), "the duct is common to two");
    }

    @ParameterizedTest
    @CsvSource({"--max-delay, 50, s-a-t s-b-t", "--max-delay, 20, s-a-t s-b-t", "--max-delay, 19.9, s-a-t",
            "--max-delay, 5, s-a-t",
            "--max-delay, 1, s-a-t", "--max-delay-spread, 18, s-a-t s-b-t", "--max-delay-spread, 0, s-c-t",
            "--max-delay-spread, 180, s-c-t s-b-t", "--max-delay-spread, 1e6, s-c-t s-a-t s-b-t"})
    void limitsHoldForAllPaths(String option, String millis, String expected) {
        JsonNode connection = planned(option, millis);
        List<String> distinct = new ArrayList<>(new LinkedHashSet<>(paths(connection)));
        assertEquals(List.of(expected.split(" ")), distinct, "further subflows share");
        assertEquals(3, connection.get("subflows").size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"widest-disjoint", "k-max", "multiflow", "network-wide"})
    void pathsAreDisjointByGroups(String strategy) {
        JsonNode connection = planned("--disjoint", "srlg", "--strategy", strategy, "--join", "block",
                "--max-delay-spread", "1e6");
        assertEquals(2, connection.get("subflows").size());
        assertTrue(paths(connection).contains("s-c-t"));
        assertEquals("[\"link\",\"node\",\"srlg\"]", connection.get("disjointIn").toString());
        assertEquals("srlg", connection.get("disjoint").asText());
    }

    @Test
    void movesKeepToWhatIsAsked() {
        String connections = Run.file(folder, "two.json", "[{\"source\": \"s\", \"target\": \"t\"}, {\"source\": \"s\", "
                + "\"target\": \"t\", \"subflows\": 2}, {\"source\": \"s\", \"target\": \"b\", \"subflows\": 2}]");
        JsonNode plan = Run.planned("--topology", net(), "--connections", connections, "--max-delay", "150",
                "--disjoint", "srlg");
        for (JsonNode connection : plan.get("connections")) {
            for (JsonNode subflow : connection.get("subflows")) {
                assertTrue(subflow.get("delayMillis").asDouble() <= 150, connection.toString());
            }
        }
    }

    @Test
    void aGroupOfAllLinksLeavesOneDisjointPath() {
        String net = Run.file(folder, "one.json", NODES + link("s", "a", 10, 0, "\"x\"") + "," + link("a",
                "t", 10, 0, "\"x\"") + ","
                + link("s", "b", 10, 86400000, "\"x\"") + "," + link("b", "t", 10, 0, "\"x\"") + "]}");
        JsonNode connection = Run.planned("--topology", net, "--from", "s", "--to", "t", "--disjoint",
                "srlg").get("connections").get(0);
        assertEquals(3, connection.get("subflows").size());
        assertEquals("shared", connection.get("subflows").get(1).get("role").asText());
        assertFalse(connection.get("disjointIn").toString().contains("srlg"));
    }

    @ParameterizedTest
    @CsvSource({"-1, delayMillis", "86400001, delayMillis", "NaN, delayMillis", "Infinity, delayMillis",
            "'\"5\"', delayMillis must be a number"})
    void badDelaysAreRefused(String millis, String says) {
        String net = Run.file(folder, "bad.json", NODES
                + "\n{\"source\": \"s\", \"target\": \"t\", \"capacityMbps\": 1, \"delayMillis\": "
                + millis + "}]}");
        assertRefused(says, "--topology", net, "--from", "s", "--to", "t");
        assertRefused("line 3", "--topology", net, "--from", "s", "--to", "t");
    }

    @Test
    void badGroupsAndOptionsAreRefused() {
        String net = Run.file(folder, "bad.json", NODES
                + "{\"source\": \"s\", \"target\": \"t\", \"capacityMbps\": 1, \"srlg\": 5}]}");
        assertRefused("a list of names in srlg", "--topology", net, "--from", "s", "--to", "t");
        for (String bad : List.of("-1", "NaN", "soon", "Infinity")) {
            assertRefused("it takes a number of ms, 0 or more", "--topology", net(), "--from", "s", "--to", "t",
                    "--max-delay", bad);
            assertRefused("--max-delay-spread " + bad, "--topology", net(), "--from", "s", "--to", "t",
                    "--max-delay-spread", bad);
        }
        assertRefused("cannot find srlg-disjoint paths; it can do link", "--topology", net(), "--from", "s", "--to", "t",
                "--disjoint", "srlg", "--strategy", "link-disjoint");
    }

    @Test
    void graphMlHasDelaysAndGroups() {
        String net = Run.file(folder, "net.graphml", "<graphml><key id=\"c\" for=\"edge\" attr.name=\"delayMillis\" "
                + "attr.type=\"double\"/><key id=\"g\" for=\"edge\" attr.name=\"srlg\" attr.type=\"string\"/>"
                + "<graph edgedefault=\"undirected\"><node id=\"s\"/><node id=\"t\"/>"
                + "<edge source=\"s\" target=\"t\"><data key=\"c\">3</data><data key=\"g\">x, y</data></edge>"
                + "<edge source=\"s\" target=\"t\"><data key=\"c\">5</data><data key=\"g\">y</data></edge></graph></graphml>");
        JsonNode connection = Run.plan("--topology", net, "--from", "s", "--to", "t", "--capacity", "1", "--disjoint", "srlg",
                "--join", "block").json().get("connections").get(0);
        assertEquals(1, connection.get("subflows").size());
        assertEquals(3, connection.get("subflows").get(0).get("delayMillis").asDouble());
    }

    private void assertRefused(String says, String... arguments) {
        Run run = Run.plan(arguments);
        assertEquals(2, run.status, run.err);
        assertTrue(run.err.contains(says), run.err);
        assertEquals(1, run.err.lines().count());
    }

    private JsonNode planned(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--topology", net(), "--from", "s", "--to", "t"));
        arguments.addAll(List.of(more));
        return Run.planned(arguments.toArray(String[]::new)).get("connections").get(0);
    }

    private static List<String> paths(JsonNode connection) {
        List<String> paths = new ArrayList<>();
        for (JsonNode subflow : connection.get("subflows")) {
            List<String> nodes = new ArrayList<>();
            subflow.get("path").forEach(node -> nodes.add(node.asText()));
            paths.add(String.join("-", nodes));
        }
        return paths;
    }
}
