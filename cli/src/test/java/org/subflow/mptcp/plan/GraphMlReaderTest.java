// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topologies in GraphML. */
class GraphMlReaderTest {
    private static final double EXACT = 1e-6;
    private static final String KEYS = "<key attr.name=\"LinkSpeedRaw\" attr.type=\"double\" for=\"edge\" id=\"d1\"/>"
            + "<key attr.name=\"capacityMbps\" attr.type=\"double\" for=\"edge\" id=\"d2\"/>"
            + "<key attr.name=\"label\" attr.type=\"string\" for=\"node\" id=\"d3\"/>";

    @TempDir
    Path folder;

    @Test
    void linkSpeedInBitPerSecond() {
        JsonNode plan = planned(graph("undirected", "<edge source=\"0\" target=\"1\"><data key=\"d1\">2500000.0</data></edge>"));
        assertEquals(2.5, Run.expected(plan, 0), EXACT);
    }

    @Test
    void capacityInMegabitGoesBeforeLinkSpeed() {
        assertEquals(7, Run.expected(planned(graph("undirected", "<edge source=\"1\" target=\"0\">"
                + "<data key=\"d2\"> 7 </data><data key=\"d1\">1</data></edge>")), 0), EXACT);
    }

    @Test
    void attributesStayWithTheirEdge() {
        String text = graph("undirected", "<edge source=\"0\" target=\"1\"><data key=\"d2\">3</data></edge>"
                + "<edge source=\"0\" target=\"1\"/>");
        JsonNode plan = Run.plan("--topology", write(text), "--from", "0", "--to", "1", "--k", "2", "--capacity",
                "0.5").json();
        assertEquals(List.of("0-1", "0-1"), Run.paths(plan, 0));
        assertEquals(3.5, Run.expected(plan, 0), EXACT);
    }

    @Test
    void defaultsOfKeys() {
        String text = graph("undirected", "<edge source=\"0\" target=\"1\"/>")
                .replace("for=\"edge\" id=\"d2\"/>", "for=\"edge\" id=\"d2\"><default>6</default></key>");
        assertEquals(6, Run.expected(planned(text), 0), EXACT);
    }

    @Test
    void directedEdges() {
        String file = write(graph("directed", "<edge source=\"0\" target=\"1\"><data key=\"d2\">3</data></edge>"
                + "<edge source=\"1\" target=\"0\"><data key=\"d2\">4</data></edge>"
                + "<edge source=\"1\" target=\"0\"><data key=\"d2\">5</data></edge>"));
        JsonNode there = Run.planned("--topology", file, "--from", "0", "--to", "1");
        JsonNode back = Run.planned("--topology", file, "--from", "1", "--to", "0");
        assertEquals(3, Run.expected(there, 0), EXACT);
        assertEquals(9, Run.expected(back, 0), EXACT);
    }

    @Test
    void otherEncodings() throws IOException {
        String text = graph("undirected", "<edge source=\"0\" target=\"é\"><data key=\"d2\">3</data></edge>")
                .replace("<node id=\"1\"/>", "<node id=\"é\"/>");
        for (var charset : List.of(StandardCharsets.ISO_8859_1, StandardCharsets.UTF_16, StandardCharsets.UTF_8)) {
            Path file = folder.resolve(charset.name() + ".graphml");
            Files.write(file, text.replace("UTF-8", charset.name()).getBytes(charset));
            Run run = Run.plan("--topology", file.toString(), "--from", "0", "--to", "é");
            assertEquals(0, run.status, run.err);
        }
        String marked = write("\uFEFF \n" + text.replaceFirst("<\\?.*?\\?>", ""));
        assertEquals(3, Run.expected(Run.planned("--topology", marked, "--from", "0", "--to", "é"), 0), EXACT);
    }

    @Test
    void theSameNetworkInBothForms() {
        StringBuilder edges = new StringBuilder();
        StringBuilder links = new StringBuilder();
        StringBuilder nodes = new StringBuilder();
        StringBuilder ids = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            nodes.append("<node id=\"").append(i).append("\"/>");
            ids.append(i == 0 ? "" : ",").append("{\"id\": \"").append(i).append("\"}");
            for (int j = i + 1; j < 12; j += 1 + (i + j) % 4) {
                double mbps = 1 + (7 * i + 3 * j) % 10;
                edges.append(String.format("<edge source=\"%d\" target=\"%d\"><data key=\"d2\">%s</data></edge>", i, j, mbps));
                links.append(links.length() == 0 ? "" : ",")
                        .append(String.format("{\"source\": \"%d\", \"target\": \"%d\", \"capacityMbps\": %s}", i, j, mbps));
            }
        }
        String xml = graph("undirected", edges.toString()).replaceFirst("<node.*?/><node.*?/>", nodes.toString());
        String json = Run.file(folder, "n.json", "{\"nodes\": [" + ids + "], \"links\": [" + links + "]}");
        for (int target = 1; target < 12; target++) {
            JsonNode one = Run.planned("--topology", write(xml), "--from", "0", "--to", "" + target);
            JsonNode other = Run.planned("--topology", json, "--from", "0", "--to", "" + target);
            assertEquals(other.get("connections"), one.get("connections"));
            assertEquals(other.get("links"), one.get("links"));
        }
    }

    @Test
    void loadsNothingFromElsewhere() {
        String secret = Run.file(folder, "secret", "secret");
        String text = graph("undirected", "<edge source=\"0\" target=\"1\"><data key=\"d2\">&e;</data></edge>");
        refused(text.replace("<graphml", "<!DOCTYPE graphml [<!ENTITY e SYSTEM \"file://" + secret + "\">]><graphml"));
        String old = text.replace("&e;", "1").replace("<graphml", "<!DOCTYPE graphml SYSTEM \"http://127.0.0.1:9/x.dtd\"><graphml");
        assertEquals(1, Run.expected(planned(old), 0), EXACT, "old files name a DTD, and nobody asks for it");
    }

    @Test
    void brokenFiles() {
        String good = graph("undirected", "<edge source=\"0\" target=\"1\"><data key=\"d2\">3</data></edge>");
        refused(good.substring(0, good.length() - 12), "line ");
        refused(good.replace("</edge>", ""), "line ");
        refused("<html><body>404</body></html>", "no <graph>");
        refused("<", "line 1");
        refused(graph("undirected", "<edge source=\"0\" target=\"7\"><data key=\"d2\">3</data></edge>"), "edge 1", "names node '7'");
        refused(graph("undirected", "<edge source=\"0\"><data key=\"d2\">3</data></edge>"), "target");
        refused(good.replace("<node id=\"1\"/>", "<node id=\"0\"/>"), "0");
        refused(good.replace("3", "-3"), "edge 1", "link 0–1", "-3.0");
        refused(good.replace("3", "NaN"), "edge 1", "NaN");
        refused(good.replace("3", "fast"), "edge 1", "fast");
        refused(good.replace("<node id=\"1\"/>", "<node/>"), "line 3", "<node> has no id");
        refused(good.replace("attr.type=\"string\"", "attr.type=\"text\""), "line 1", "attr.type 'text'", "double and string");
        refused(good.replace("</graph>", "<hyperedge/></graph>"), "hyperedge");
        refused(graph("undirected", "<edge source=\"0\" target=\"1\"/>"), "edge 1", "--capacity");
    }

    private JsonNode planned(String text) {
        return Run.planned("--topology", write(text), "--from", "0", "--to", "1");
    }

    private void refused(String text, String... says) {
        String file = write(text);
        Run run = Run.plan("--topology", file, "--from", "0", "--to", "1");
        run.assertRefused(says);
        run.assertRefused(file);
    }

    private String write(String text) {
        return Run.file(folder, "net.graphml", text);
    }

    private static String graph(String direction, String edges) {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
                + KEYS + "\n<graph edgedefault=\"" + direction + "\">\n<node id=\"0\"/><node id=\"1\"/>\n" + edges
                + "\n</graph></graphml>";
    }
}
