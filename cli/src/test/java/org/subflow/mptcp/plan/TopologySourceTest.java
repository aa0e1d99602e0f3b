// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.subflow.mptcp.path.topology.Topology;

/** Names that stand for topologies, and how files are told apart. */
class TopologySourceTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"diamond, 5, 6", "sheu8, 8, 14", "os3e, 34, 42", "cernet, 41, 59", "fattree4, 36, 48",
            "fattree8, 208, 384", "waxman10, 10, -1", "waxman50, 50, -1", "geometric40, 40, -1",
            "gabriel45, 45, -1"})
    void names(String name, int nodes, int links) {
        Topology topology = new TopologySource(Double.NaN, 7).find(name).topology;
        assertEquals(nodes, topology.graph().nodeCount());
        if (links >= 0) {
            assertEquals(links, topology.graph().linkCount());
        }
    }

    @Test
    void theDemoKnowsNoNameThatThePlannerDoesNot() throws Exception {
        Path folder = Path.of(TopologySource.class.getResource("topologies/diamond.json").toURI()).getParent();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.collect(Collectors.toList())) {
                String name = file.getFileName().toString().replace(".json", "");
                assertTrue(new TopologySource(Double.NaN, 0).find(name).topology.graph().nodeCount() > 1, name);
            }
        }
    }

    @Test
    void theSeedDrawsTheNetwork() {
        assertEquals(draw(1), draw(1));
        assertNotEquals(draw(1), draw(2));
    }

    private static String draw(long seed) {
        Topology topology = new TopologySource(Double.NaN, seed).find("waxman20").topology;
        StringBuilder text = new StringBuilder();
        for (int arc = 0; arc < topology.graph().arcCount(); arc++) {
            text.append(topology.graph().head(arc)).append(' ');
        }
        return text.toString();
    }

    @Test
    void capacityOfNamedTopologies() {
        assertEquals(10e6, new TopologySource(Double.NaN, 0).find("cernet").topology.graph().capacity(0));
        assertEquals(2e6, new TopologySource(2, 0).find("cernet").topology.graph().capacity(0));
        assertEquals(10e6, new TopologySource(2, 0).find("sheu8").topology.graph().capacity(0), "has its own");
    }

    @Test
    void aByteOrderMarkAndWhiteSpaceAreNoMatter() throws IOException {
        String json = "\uFEFF\n  {\"nodes\": [{\"id\": \"a\"}], \"links\": []}";
        Path file = Files.write(folder.resolve("bom.json"), json.getBytes(StandardCharsets.UTF_8));
        assertEquals(1, new TopologySource(1, 0).find(file.toString()).topology.graph().nodeCount());
    }
}
