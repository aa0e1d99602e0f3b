// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans on maps whose links have another capacity in each direction: only that from source to target counts. */
class DirectionsTest {
    private static final double EXACT = 1e-6;
    private static final int MAPS = 60;
    private static final int NODES = 9;

    @TempDir
    Path folder;

    /** Mbit/s from one node to another, 0 without a link. */
    private final double[][] capacity = new double[NODES][NODES];

    @ParameterizedTest
    @ValueSource(strings = {"a b up 10", "b a down 10"})
    void bothDirectionsGetThePathThatIsWideThere(String text) {
        String[] words = text.split(" ");
        String topology = Run.file(folder, "adsl.json", "{\"directed\": true, \"nodes\": [{\"id\": \"a\"}, {\"id\": \"up\"},"
                + "{\"id\": \"down\"}, {\"id\": \"b\"}], \"links\": ["
                + String.join(",", link("a", "up", 10, 2), link("up", "b", 10, 2), link("a", "down", 4, 10),
                              link("down", "b", 4, 10)) + "]}");
        for (String[] more : new String[][] {{}, {"--first"}}) {
            JsonNode plan = plan(topology, words[0], words[1], more);
            assertEquals(List.of(words[0] + "-" + words[2] + "-" + words[1]), Run.paths(plan, 0));
            assertEquals(Double.parseDouble(words[3]), Run.expected(plan, 0), EXACT);
            JsonNode connection = plan.get("connections").get(0);
            assertEquals(14 - (words[2].equals("down") ? 2 : 0), connection.get("availableMbps").asDouble(), EXACT);
            assertEquals(connection.get("availableMbps").asDouble(), connection.get("boundMbps").asDouble(), EXACT);
        }
    }

    @Test
    void onRandomMapsThePathIsTheWidest() {
        for (int seed = 0; seed < MAPS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            String topology = draw(random);
            int from = random.nextInt(NODES);
            int to = (from + 1 + random.nextInt(NODES - 1)) % NODES;
            for (String[] more : new String[][] {{}, {"--first"}}) {
                JsonNode plan = plan(topology, "n" + from, "n" + to, more);
                JsonNode subflow = plan.get("connections").get(0).get("subflows").get(0);
                assertEquals(widest()[from][to], subflow.get("bottleneckMbps").asDouble(), EXACT, "seed " + seed);
                assertEquals(widest()[from][to], Run.expected(plan, 0), EXACT, "seed " + seed);
            }
        }
    }

    private static JsonNode plan(String topology, String from, String to, String... more) {
        String[] arguments = {"--topology", topology, "--from", from, "--to", to, "--k", "1", "--bound"};
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return Run.planned(all);
    }

    private String draw(SplittableRandom random) {
        StringBuilder nodes = new StringBuilder();
        StringBuilder links = new StringBuilder();
        for (int a = 0; a < NODES; a++) {
            nodes.append(a == 0 ? "" : ",").append("{\"id\": \"n").append(a).append("\"}");
            for (int b = a + 1; b < NODES; b++) {
                boolean isLink = b == a + 1 || b - a == NODES - 1 || random.nextInt(4) == 0;
                capacity[a][b] = isLink ? random.nextInt(1, 101) : 0;
                capacity[b][a] = isLink ? random.nextInt(1, 101) : 0;
                if (isLink) {
                    links.append(links.length() == 0 ? "" : ",").append(link("n" + a, "n" + b, capacity[a][b], capacity[b][a]));
                }
            }
        }
        return Run.file(folder, "map.json", "{\"directed\": true, \"nodes\": [" + nodes + "], \"links\": [" + links + "]}");
    }

    private static String link(String a, String b, double forward, double backward) {
        String one = "{\"source\": \"%s\", \"target\": \"%s\", \"capacityMbps\": %s}";
        return String.format(one, a, b, forward) + "," + String.format(one, b, a, backward);
    }

    /** Returns the width of the widest path between each two nodes (Floyd and Warshall). */
    private double[][] widest() {
        double[][] widest = new double[NODES][];
        for (int a = 0; a < NODES; a++) {
            widest[a] = capacity[a].clone();
        }
        for (int via = 0; via < NODES; via++) {
            for (int a = 0; a < NODES; a++) {
                for (int b = 0; b < NODES; b++) {
                    widest[a][b] = Math.max(widest[a][b], Math.min(widest[a][via], widest[via][b]));
                }
            }
        }
        return widest;
    }
}
