// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several links between two nodes: each is a path with its own capacity, and the output says which one it is. */
class ParallelLinksTest {
    private static final String NODES = "{\"multigraph\": true, \"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}, "
            + "{\"id\": \"c\"}],\n";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"widest-disjoint", "k-max-min", "k-max", "link-disjoint", "node-disjoint", "zone-disjoint",
            "multiflow", "network-wide"})
    void bothCarryASubflow(String strategy) {
        JsonNode plan = Run.planned("--topology", twoLinks("", ""), "--from", "a", "--to", "b", "--strategy", strategy);
        JsonNode connection = plan.get("connections").get(0);
        assertEquals("[\"0\"]", connection.get("subflows").get(0).get("keys").toString());
        assertEquals("[\"1\"]", connection.get("subflows").get(1).get("keys").toString());
        assertEquals(4, connection.get("subflows").get(1).get("bottleneckMbps").asDouble());
        assertEquals("{\"source\":\"a\",\"target\":\"b\",\"key\":\"1\",\"capacityMbps\":4.0,\"expectedMbps\":4.0}",
                plan.get("links").get(1).toString());
    }

    @Test
    void theirKeysAreThoseOfTheFile() {
        String net = twoLinks(", \"key\": \"north\"", ", \"key\": \"south\"");
        String table = Run.plan("--topology", net, "--from", "a", "--to", "c", "--k", "1", "--format", "table").out;
        assertTrue(table.contains("own   a [north]> b > c\n"), table);
        assertTrue(table.contains("a [north]> b"), table);
        String dot = Run.plan("--topology", net, "--from", "a", "--to", "c", "--k", "1", "--format", "dot").out;
        assertTrue(dot.contains("label=\"4 [south]\""), dot);
        assertTrue(dot.contains("label=\"c1.1 2 [north]\""), dot);
        JsonNode subflow = Run.planned("--topology", net, "--from", "a", "--to", "c", "--k", "1").get("connections").get(0)
                .get("subflows").get(0);
        assertEquals("[\"north\",null]", subflow.get("keys").toString());
    }

    @Test
    void aKeyJoinsTheDirectionsOfALink() {
        String net = Run.file(folder, "directed.json", NODES + "\"directed\": true, \"links\": ["
                + link("a", "b", 10, ", \"key\": 0") + link("a", "b", 4, ", \"key\": 1") + link("b", "a", 8, ", \"key\": 1")
                + last("b", "a", 2, ", \"key\": 0"));
        JsonNode back = Run.planned("--topology", net, "--from", "b", "--to", "a", "--k", "2", "--strategy", "multiflow")
                .get("connections").get(0).get("subflows");
        assertEquals("[\"0\"]", back.get(0).get("keys").toString());
        assertEquals(2, back.get(0).get("bottleneckMbps").asDouble());
        assertEquals(8, back.get(1).get("bottleneckMbps").asDouble());
    }

    @Test
    void twoLinksWithOneKeyAreRefused() {
        Run run = Run.plan("--topology", twoLinks(", \"key\": \"x\"", ", \"key\": \"x\""), "--from", "a", "--to", "b");
        assertEquals(2, run.status);
        assertTrue(run.err.contains("link b–a has the key 'x' of another link between these nodes"), run.err);
    }

    @Test
    void graphMlHasKeysToo() {
        String net = Run.file(folder, "net.graphml", "<graphml><key id=\"c\" for=\"edge\" attr.name=\"capacityMbps\" "
                + "attr.type=\"double\"/><key id=\"k\" for=\"edge\" attr.name=\"key\" attr.type=\"string\"/>"
                + "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
                + "<edge source=\"a\" target=\"b\"><data key=\"c\">3</data><data key=\"k\">x</data></edge>"
                + "<edge source=\"a\" target=\"b\"><data key=\"c\">5</data><data key=\"k\">y</data></edge></graph></graphml>");
        JsonNode subflows = Run.planned("--topology", net, "--from", "a", "--to", "b").get("connections").get(0)
                .get("subflows");
        assertEquals("[\"y\"]", subflows.get(0).get("keys").toString());
        assertEquals("[\"x\"]", subflows.get(1).get("keys").toString());
    }

    private String twoLinks(String one, String other) {
        return Run.file(folder, "net.json", NODES + "\"links\": [" + link("a", "b", 10, one) + link("b", "a", 4, other)
                + last("b", "c", 2, ""));
    }

    private static String link(String source, String target, int mbps, String more) {
        return "{\"source\": \"" + source + "\", \"target\": \"" + target + "\", \"capacityMbps\": " + mbps + more + "},\n";
    }

    private static String last(String source, String target, int mbps, String more) {
        return link(source, target, mbps, more).replace("},\n", "}]}");
    }
}
