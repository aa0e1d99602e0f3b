// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths and rates of planned connections. */
class PlacementTest {
    private static final double EXACT = 1e-6;

    @TempDir
    Path folder;

    @Test
    void disjointPathsOfTheDiamond() {
        JsonNode plan = Run.planned("--topology", "diamond", "--from", "1", "--to", "5");
        assertEquals(List.of("1-2-5", "1-3-5", "1-4-5"), Run.paths(plan, 0));
        assertEquals(30, Run.expected(plan, 0), EXACT);
        assertEquals(6, plan.get("links").size(), "one direction only");
    }

    @Test
    void laterConnectionsUseTheResidualBandwidth() {
        // The path over x has 10, that over y has 8. The first connection takes x, whose residual bandwidth then is 5.
        String topology = network("a x 10", "x b 10", "a y 8", "y b 8");
        String connections = Run.file(folder, "c.json",
                "[{\"source\": \"a\", \"target\": \"b\", \"subflows\": 1},"
                + "{\"source\": \"a\", \"target\": \"b\", \"subflows\": 1}]");
        JsonNode plan = Run.planned("--topology", topology, "--connections", connections);
        assertEquals(List.of("a-x-b"), Run.paths(plan, 0));
        assertEquals(List.of("a-y-b"), Run.paths(plan, 1));
        assertEquals("c2", plan.get("connections").get(1).get("id").asText());
        assertEquals(8, Run.expected(plan, 1), EXACT);
    }

    @Test
    void fullLinksStayUsable() {
        String topology = network("a b 10");
        String one = "{\"source\": \"a\", \"target\": \"b\", \"subflows\": 1}";
        JsonNode plan = Run.planned("--topology", topology, "--connections",
                Run.file(folder, "c.json", "[" + String.join(",", one, one, one, one) + "]"));
        for (int c = 0; c < 4; c++) {
            assertEquals(2.5, Run.expected(plan, c), EXACT);
        }
        JsonNode link = plan.get("links").get(0);
        assertEquals(10, link.get("expectedMbps").asDouble(), EXACT);
        assertEquals(1, plan.get("links").size());
    }

    @Test
    void bottleneckIsTheSmallestCapacityNotResidualBandwidth() {
        JsonNode plan = Run.planned("--topology", network("a b 10"), "--connections", Run.file(folder, "c.json",
                "[{\"source\": \"a\", \"target\": \"b\"}, {\"source\": \"a\", \"target\": \"b\"}]"));
        assertEquals(10, plan.get("connections").get(1).get("subflows").get(0).get("bottleneckMbps").asDouble(), EXACT);
    }

    @Test
    void weightsAndCapsCount() {
        JsonNode plan = Run.planned("--topology", network("a b 12"), "--connections", Run.file(folder, "c.json",
                "[{\"id\": \"light\", \"source\": \"a\", \"target\": \"b\", \"weight\": 1},"
                + "{\"id\": \"heavy\", \"source\": \"a\", \"target\": \"b\", \"weight\": 2},"
                + "{\"id\": \"small\", \"source\": \"a\", \"target\": \"b\", \"capMbps\": 3, \"weight\": 5}]"));
        assertEquals(3, Run.expected(plan, 0), EXACT);
        assertEquals(6, Run.expected(plan, 1), EXACT);
        assertEquals(3, Run.expected(plan, 2), EXACT);
    }

    @Test
    void maxMinAndProportionalDifferOnTheLine() {
        String topology = network("a b 1", "b c 1");
        String connections = Run.file(folder, "c.json", "[{\"source\": \"a\", \"target\": \"c\", \"subflows\": 1},"
                + "{\"source\": \"a\", \"target\": \"b\", \"subflows\": 1},"
                + "{\"source\": \"b\", \"target\": \"c\", \"subflows\": 1}]");
        JsonNode maxMin = Run.planned("--topology", topology, "--connections", connections);
        JsonNode proportional = Run.planned("--topology", topology, "--connections", connections, "--allocator",
                "proportional");
        assertEquals(0.5, Run.expected(maxMin, 0), EXACT);
        assertEquals(0.5, Run.expected(maxMin, 1), EXACT);
        assertEquals(1.0 / 3, Run.expected(proportional, 0), EXACT);
        assertEquals(2.0 / 3, Run.expected(proportional, 2), EXACT);
        assertEquals("proportional", proportional.get("allocator").asText());
    }

    @Test
    void zetaCountsPathsThatAreNotInUse() {
        String topology = network("a x 10", "x b 10", "a y 4", "y b 4");
        JsonNode plan = Run.planned("--topology", topology, "--from", "a", "--to", "b", "--k", "1");
        JsonNode connection = plan.get("connections").get(0);
        assertEquals(10, connection.get("expectedMbps").asDouble(), EXACT);
        assertEquals(14, connection.get("availableMbps").asDouble(), EXACT);
        assertEquals(14, connection.get("fairMbps").asDouble(), EXACT);
    }

    @Test
    void fairZetaKeepsTheSharesOfOthers() {
        JsonNode plan = Run.planned("--topology", network("a b 10", "a x 2", "x b 2"), "--connections", Run.file(folder,
                "c.json", "[{\"source\": \"a\", \"target\": \"b\", \"subflows\": 1, \"capMbps\": 1},"
                + "{\"source\": \"a\", \"target\": \"b\", \"subflows\": 2}]"));
        JsonNode second = plan.get("connections").get(1);
        assertEquals(11, second.get("availableMbps").asDouble(), EXACT);
        assertEquals(11, second.get("fairMbps").asDouble(), EXACT);
        assertEquals(1, plan.get("connections").get(0).get("availableMbps").asDouble(), EXACT, "its cap");
    }

    @Test
    void joinPolicies() {
        String[] request = {"--topology", "sheu8", "--from", "a", "--to", "t", "--k", "5", "--join", "block"};
        JsonNode block = Run.planned(request);
        int disjoint = block.get("connections").get(0).get("subflows").size();
        assertEquals(3, disjoint, "as many as there are");

        request[request.length - 1] = "share";
        JsonNode share = Run.planned(request);
        assertEquals(Run.paths(share, 0), Run.paths(Run.planned(dropLast(request, 2)), 0), "share is the default");
        assertEquals(5, share.get("connections").get(0).get("subflows").size());
        assertEquals("a-d-t", Run.paths(share, 0).get(3), "the shortest of those that share least");
        assertEquals("shared", share.get("connections").get(0).get("subflows").get(4).get("role").asText());

        request[request.length - 1] = "backup";
        JsonNode backup = Run.planned(request);
        JsonNode last = backup.get("connections").get(0).get("subflows").get(4);
        assertEquals("backup", last.get("role").asText());
        assertEquals(0, last.get("expectedMbps").asDouble());
        assertEquals(Run.expected(block, 0), Run.expected(backup, 0), EXACT);
        assertEquals(block.get("links"), backup.get("links"), "a backup carries nothing");
    }

    @Test
    void capacityPerDirection() {
        String topology = Run.file(folder, "d.json", "{\"directed\": true, \"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}],"
                + "\"edges\": [{\"source\": \"a\", \"target\": \"b\", \"capacityMbps\": 7},"
                + "{\"source\": \"b\", \"target\": \"a\", \"capacityMbps\": 3}]}");
        assertEquals(7, Run.expected(Run.planned("--topology", topology, "--from", "a", "--to", "b"), 0), EXACT);
        assertEquals(3, Run.expected(Run.planned("--topology", topology, "--from", "b", "--to", "a"), 0), EXACT);
    }

    @Test
    void bothDirectionsOfALinkAreOneLink() {
        // Otherwise s-a-b-t and s-b-a-t would count as disjoint.
        String topology = network("s a 1", "a b 1", "b t 1", "s b 1", "a t 1");
        JsonNode plan = Run.planned("--topology", topology, "--from", "s", "--to", "t", "--k", "3", "--join", "block");
        assertEquals(2, Run.paths(plan, 0).size());
    }

    @Test
    void parallelLinksAreLinksOfTheirOwn() {
        String topology = network("a b 6", "a b 4", "b a 1");
        JsonNode plan = Run.planned("--topology", topology, "--from", "a", "--to", "b", "--k", "5", "--join", "block");
        assertEquals(3, plan.get("connections").get(0).get("subflows").size());
        assertEquals(11, Run.expected(plan, 0), EXACT);
        assertEquals(3, plan.get("links").size());
    }

    @Test
    void capacityForLinksThatGiveNone() {
        String topology = Run.file(folder, "n.json", "{\"nodes\": [{\"id\": 1}, {\"id\": 2}, {\"id\": 3}], \"links\": "
                + "[{\"source\": 1, \"target\": 2}, {\"source\": 2, \"target\": 3, \"capacityMbps\": 9}]}");
        String[] arguments = {"--topology", topology, "--from", "1", "--to", "2", "--capacity", "2.5"};
        Run run = Run.plan(arguments);
        assertEquals(2.5, Run.expected(run.json(), 0), EXACT);
        assertEquals("lab: plan: " + topology + ": 1 of 2 links gives no capacity: 2.5 Mbit/s taken (--capacity)\n", run.err);
        run = Run.plan("--topology=" + topology, "--from=3", "--to=2", "--capacity=2");
        assertEquals(9, Run.expected(run.json(), 0), EXACT);
    }

    @Test
    void noPathToTheTarget() {
        String topology = Run.file(folder, "two.json", "{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\"}],"
                + "\"links\": [{\"source\": \"a\", \"target\": \"b\", \"capacityMbps\": 1},"
                + "{\"source\": \"b\", \"target\": \"c\", \"capacityMbps\": 0}]}");
        for (String format : List.of("json", "table", "dot")) {
            Run run = Run.plan("--topology", topology, "--from", "a", "--to", "c", "--join", "share", "--format", format);
            assertEquals(0, run.status, run.err);
            assertTrue(run.err.contains("nothing with capacity leads from 'a' to 'c'"), run.err);
        }
        JsonNode connection = Run.plan("--topology", topology, "--from", "a", "--to", "c").json().get("connections").get(0);
        assertEquals(0, connection.get("subflows").size());
        assertEquals(0, connection.get("expectedMbps").asDouble());
        assertEquals(0, connection.get("availableMbps").asDouble());
        assertEquals(0, connection.get("fairMbps").asDouble());
    }

    @ParameterizedTest
    @ValueSource(strings = {"max-min", "proportional", "smptcp"})
    void aConnectionWithoutPathDoesNotDisturbOthers(String allocator) {
        String topology = Run.file(folder, "t.json", "{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\"}],"
                + "\"links\": [{\"source\": \"a\", \"target\": \"b\", \"capacityMbps\": 4}]}");
        Run run = Run.plan("--topology", topology, "--allocator", allocator, "--connections", Run.file(folder, "c.json",
                "[{\"source\": \"a\", \"target\": \"c\"}, {\"source\": \"a\", \"target\": \"b\"}]"));
        assertEquals(0, run.status, run.err);
        assertEquals(4, Run.expected(run.json(), 1), EXACT);
    }

    @Test
    void resourcePoolCarriesTheMaximumFlow() {
        JsonNode plan = Run.planned("--topology", "sheu8", "--from", "s", "--to", "t", "--strategy", "resource-pool", "--k",
                "9");
        JsonNode connection = plan.get("connections").get(0);
        assertEquals(23, connection.get("expectedMbps").asDouble(), EXACT);
        assertEquals("none", connection.get("disjoint").asText());
    }

    @Test
    void theSeedDecidesEcmp() {
        boolean differs = false;
        String first = ecmp("0");
        for (int seed = 1; seed < 20; seed++) {
            differs |= !ecmp(Integer.toString(seed)).equals(first);
        }
        assertTrue(differs);
        assertEquals(first, ecmp("0"));
    }

    private static String ecmp(String seed) {
        return Run.paths(Run.planned("--topology", "fattree8", "--from", "h0-0-0", "--to", "h1-0-0", "--strategy", "ecmp",
                "--seed", seed), 0).toString();
    }

    @Test
    void nodeDisjointIsMoreThanLinkDisjoint() {
        String topology = network("s a 1", "s b 1", "a m 1", "b m 1", "m c 1", "m d 1", "c t 1", "d t 1");
        JsonNode link = Run.planned("--topology", topology, "--from", "s", "--to", "t", "--join", "block");
        JsonNode node = Run.planned("--topology", topology, "--from", "s", "--to", "t", "--disjoint", "node", "--join",
                "block");
        assertEquals(2, Run.paths(link, 0).size());
        assertEquals(1, Run.paths(node, 0).size());
        assertEquals("node", node.get("connections").get(0).get("disjoint").asText());
        assertFalse(link.get("connections").get(0).get("disjoint").asText().equals("node"));
    }

    /** Writes a topology of undirected links, each {@code "from to mbps"}. */
    private String network(String... links) {
        StringBuilder json = new StringBuilder("{\"nodes\": [");
        List<String> nodes = List.of(links).stream().flatMap(link -> List.of(link.split(" ")).subList(0, 2).stream())
                .distinct().collect(Collectors.toList());
        for (String node : nodes) {
            json.append(json.charAt(json.length() - 1) == '[' ? "" : ", ").append("{\"id\": \"").append(node).append("\"}");
        }
        json.append("], \"links\": [");
        for (String link : links) {
            String[] part = link.split(" ");
            json.append(json.charAt(json.length() - 1) == '[' ? "" : ", ").append(String.format(
                    "{\"source\": \"%s\", \"target\": \"%s\", \"capacityMbps\": %s}", (Object[]) part));
        }
        return Run.file(folder, "network.json", json.append("]}").toString());
    }

    private static String[] dropLast(String[] words, int count) {
        return Arrays.copyOf(words, words.length - count);
    }
}
