// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Properties of every plan, on random networks with several connections. */
class PlanPropertiesTest {
    private static final int NETWORKS = 40;
    private static final int NODES = 12;
    private static final int CONNECTIONS = 5;
    private static final double ROUNDING = 1e-6;

    @TempDir
    Path folder;

    private final Map<String, Double> capacities = new HashMap<>();

    @ParameterizedTest
    @CsvSource({"widest-disjoint, max-min, block", "widest-disjoint, proportional, share", "k-max-min, max-min, backup",
            "network-wide, max-min, backup", "resource-pool, smptcp, block", "node-disjoint, smptcp, share", "ecmp, proportional, backup"})
    void everyPlan(String strategy, String allocator, String join) {
        for (int seed = 0; seed < NETWORKS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            String topology = network(random);
            String connections = connections(random);
            Run run = Run.plan("--topology", topology, "--connections", connections, "--strategy", strategy, "--allocator",
                    allocator, "--join", join);
            assertEquals(0, run.status, run.err);
            check(run.json(), "seed " + seed);
        }
    }

    private void check(JsonNode plan, String where) {
        Map<String, Double> loads = new HashMap<>();
        for (JsonNode connection : plan.get("connections")) {
            double sum = 0;
            Set<String> used = new HashSet<>();
            for (JsonNode subflow : connection.get("subflows")) {
                sum += checkSubflow(subflow, loads, where);
                if (!subflow.has("role") && !connection.get("disjoint").asText().equals("none")) {
                    links(subflow).forEach(link -> assertTrue(used.add(link), where + ": two take " + link));
                }
            }
            double expected = connection.get("expectedMbps").asDouble();
            assertEquals(sum, expected, ROUNDING, where);
            assertTrue(expected <= connection.get("availableMbps").asDouble() + ROUNDING, where);
            assertTrue(connection.get("fairMbps").asDouble() <= connection.get("availableMbps").asDouble(), where);
        }
        Set<String> listed = new HashSet<>();
        for (JsonNode link : plan.get("links")) {
            String name = link.get("source").asText() + ">" + link.get("target").asText();
            listed.add(name);
            assertEquals(loads.get(name), link.get("expectedMbps").asDouble(), ROUNDING, where + name);
            assertEquals(capacities.get(name), link.get("capacityMbps").asDouble(), ROUNDING, where + name);
            assertTrue(link.get("expectedMbps").asDouble() <= link.get("capacityMbps").asDouble() + ROUNDING, where + name);
        }
        loads.forEach((name, load) -> assertTrue(load == 0 || listed.contains(name), where + ": no " + name));
    }

    private double checkSubflow(JsonNode subflow, Map<String, Double> loads, String where) {
        double bottleneck = Double.POSITIVE_INFINITY;
        double expected = subflow.get("expectedMbps").asDouble();
        for (int i = 0; i + 1 < subflow.get("path").size(); i++) {
            String arc = subflow.get("path").get(i).asText() + ">" + subflow.get("path").get(i + 1).asText();
            bottleneck = Math.min(bottleneck, capacities.get(arc));
            loads.merge(arc, expected, Double::sum);
        }
        assertEquals(bottleneck, subflow.get("bottleneckMbps").asDouble(), ROUNDING, where);
        assertTrue(expected <= bottleneck + ROUNDING, where);
        return expected;
    }

    private static Set<String> links(JsonNode subflow) {
        Set<String> links = new HashSet<>();
        for (int i = 0; i + 1 < subflow.get("path").size(); i++) {
            int a = subflow.get("path").get(i).asInt();
            int b = subflow.get("path").get(i + 1).asInt();
            links.add(Math.min(a, b) + "-" + Math.max(a, b));
        }
        return links;
    }

    private String network(SplittableRandom random) {
        capacities.clear();
        StringBuilder text = new StringBuilder("{\"directed\": true, \"nodes\": [");
        for (int i = 0; i < NODES; i++) {
            text.append(i == 0 ? "" : ",").append("{\"id\": ").append(i).append('}');
        }
        text.append("], \"links\": [");
        String comma = "";
        for (int i = 0; i < NODES; i++) {
            for (int j = 0; j < NODES; j++) {
                if (i != j && random.nextInt(4) == 0) {
                    double mbps = random.nextInt(11) == 0 ? 0 : random.nextInt(1, 101) / 10.0;
                    capacities.put(i + ">" + j, mbps);
                    text.append(comma).append(String.format("{\"source\": %d, \"target\": %d, \"capacityMbps\": %s}", i, j,
                            mbps));
                    comma = ",";
                }
            }
        }
        return Run.file(folder, "network.json", text.append("]}").toString());
    }

    private String connections(SplittableRandom random) {
        StringBuilder text = new StringBuilder("[");
        for (int c = 0; c < CONNECTIONS; c++) {
            int source = random.nextInt(NODES);
            int target = (source + random.nextInt(1, NODES)) % NODES;
            text.append(c == 0 ? "" : ",").append(String.format(
                    "{\"source\": %d, \"target\": %d, \"subflows\": %d, \"weight\": %d, \"capMbps\": %s}", source, target,
                    random.nextInt(1, 5), random.nextInt(1, 3), List.of("null", "2.5", "20").get(random.nextInt(3))));
        }
        return Run.file(folder, "connections.json", text.append("]").toString());
    }
}
