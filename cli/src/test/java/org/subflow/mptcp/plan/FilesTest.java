// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files as people have them, of every form: expected throughputs, paths, and what is said of them. */
class FilesTest {
    private static final double EXACT = 1e-6;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"asymmetric.json, a, b, 14", "asymmetric.json, b, a, 12", "bom-crlf.json, a, b, 10", "edge-directed.graphml, a, b, 2",
            "edge-directed.graphml, b, a, 9", "graphml-labels.graphml, Zürich, Genève, 30", "graphml-labels.graphml, 0, 1, 30",
            "graphml-speed-without-raw.graphml, 0, 1, 189", "graphml-type-integer.graphml, 0, 1, 15", "miniedit.mn, h1, s2, 10",
            "repetita.graph, 0_A, 2_C, 12.5", "repetita.graph, 0, 2, 12.5", "sndlib.xml, A, B, 622", "yed.graphml, core1, core2, 30",
            "yed.graphml, n0, n1, 30", "zoo.gml, Bern, Basel, 10"})
    void loads(String file, String from, String to, double mbps) {
        assertEquals(mbps, Run.expected(Run.planned("--topology", field(file), "--from", from, "--to", to), 0), EXACT);
    }

    @Test
    void theSpeedsOfAFileGoBeforeCapacity() {
        JsonNode plan = Run.planned("--topology", field("graphml-speed-without-raw.graphml"), "--from", "0", "--to", "1",
                "--capacity", "10");
        assertEquals(189, Run.expected(plan, 0), EXACT);
    }

    @Test
    void aLinkFromANodeToItselfIsLeftOutInOneLine() {
        Run run = Run.plan("--topology", field("graphml-self-loop.graphml"), "--from", "0", "--to", "1");
        assertEquals(10, Run.expected(run.json(), 0), EXACT);
        assertTrue(run.err.matches("lab: plan: .*edge 2: link 1–1 joins a node to itself, and is left out\\n"), run.err);
    }

    @Test
    void labelsStandBesideNames() {
        String file = field("graphml-labels.graphml");
        JsonNode plan = Run.planned("--topology", file, "--from", "Zürich", "--to", "Genève", "--k", "2");
        assertEquals(List.of("0-2-1", "0-1"), Run.paths(plan, 0));
        assertEquals("{\"0\":\"Zürich\",\"1\":\"Genève\",\"2\":\"Basel\"}", plan.get("labels").toString());
        assertTrue(Run.plan("--topology", file, "--from", "0", "--to", "1", "--format", "table").out
                .contains("Zürich > Basel > Genève\n"));
        assertTrue(Run.plan("--topology", file, "--from", "0", "--to", "1", "--format", "dot").out
                .contains("\"0\" [label=\"Zürich\"]\n"));
    }

    @Test
    void whatOnosPrintsHasNoCapacities() {
        String ends = "of:0000000000000001";
        Run.plan("--topology", field("onos-links.json"), "--from", ends, "--to", "of:0000000000000002").assertRefused("--capacity");
        Run run = Run.plan("--topology", field("onos-links.json"), "--from", ends, "--to", "of:0000000000000002", "--capacity", "5");
        assertEquals(5, Run.expected(run.json(), 0), EXACT);
        assertTrue(run.err.contains("2 of 2 links give no capacity: 5 Mbit/s taken"), run.err);
    }

    @Test
    void capacitiesOfONOSsNetworkConfiguration() {
        String file = Run.file(folder, "netcfg.json", "{\"apps\": {}, \"links\": {\n"
                + "\"of:0000000000000001/1-of:0000000000000002/1\": {\"basic\": {\"bandwidth\": 500, \"latency\": 2000000}},\n"
                + "\"of:0000000000000001/2-of:0000000000000002/2\": {\"basic\": {\"bandwidth\": 30}},\n"
                + "\"of:0000000000000002/2-of:0000000000000001/2\": {\"basic\": {\"bandwidth\": 20}}}}");
        String[] arguments = {"--topology", file, "--from", "of:0000000000000002", "--to", "of:0000000000000001"};
        JsonNode plan = Run.planned(arguments);
        assertEquals(520, Run.expected(plan, 0), EXACT, "the first link says nothing of its way back");
        assertEquals(2, plan.get("connections").get(0).get("subflows").get(0).get("delayMillis").asDouble(), EXACT);
    }

    @Test
    void whatWePrint() {
        String file = Run.file(folder, "topology.json", "{\"devices\": [{\"id\": \"of:0000000000000001\", \"name\": \"Bern\"},\n"
                + "{\"id\": \"of:0000000000000002\", \"name\": null}], \"hosts\": [{\"id\": \"00:00:00:00:00:01/None\", \"name\": \"h1\","
                + " \"device\": \"of:0000000000000001\", \"port\": \"3\", \"ips\": [\"10.0.0.1\"]}], \"links\": [\n"
                + "{\"source\": \"of:0000000000000001/1\", \"target\": \"of:0000000000000002/1\", \"capacityMbps\": 7,"
                + " \"delayMillis\": null, \"srlg\": [\"duct\"]},\n"
                + "{\"source\": \"of:0000000000000002/1\", \"target\": \"of:0000000000000001/1\", \"capacityMbps\": 4}]}");
        for (String client : List.of("h1", "10.0.0.1", "00:00:00:00:00:01/None", "Bern", "of:0000000000000001")) {
            assertEquals(7, Run.expected(Run.planned("--topology", file, "--from", client, "--to", "of:0000000000000002"), 0), EXACT);
        }
    }

    @Test
    void demandsAreConnections() {
        String xml = Run.file(folder, "net.xml", "<?xml version=\"1.0\"?><network xmlns=\"http://sndlib.zib.de/network\">"
                + "<networkStructure><nodes><node id=\"A\"/><node id=\"B\"/></nodes><links><link id=\"L\"><source>A</source>"
                + "<target>B</target><additionalModules><addModule><capacity>40</capacity><cost>1</cost></addModule>"
                + "</additionalModules></link></links></networkStructure><demands><demand id=\"D1\"><source>B</source>"
                + "<target>A</target><routingUnit>2</routingUnit><demandValue>1.5</demandValue><admissiblePaths>"
                + "<admissiblePath id=\"P\"><linkId>L</linkId></admissiblePath></admissiblePaths></demand></demands></network>");
        Run.plan("--topology", xml).assertRefused("link 1", "--capacity");
        Run run = Run.plan("--topology", xml, "--capacity", "10");
        assertEquals("D1", run.json().get("connections").get(0).get("id").asText());
        assertEquals(3, Run.expected(run.json(), 0), EXACT);

        String text = Run.file(folder, "net.txt", "?SNDlib native format; type: network; version: 1.0\n# net\nMETA (\n  x = 3\n)\n"
                + "NODES (\n  A ( 1.0 2.0 )\n  B ( 2.0 3.0 )\n)\nLINKS (\n  L ( A B ) 40.00 0.00 0.00 0.00 ( 10.00 1.00 )\n)\n"
                + "DEMANDS (\n  D1 ( B A ) 2 1.5 UNLIMITED\n)\nADMISSIBLE_PATHS (\n  D1 (\n    P ( L )\n  )\n)\n");
        assertEquals(3, Run.expected(Run.planned("--topology", text), 0), EXACT);
        assertEquals(3, Run.expected(Run.planned("--topology", text, "--connections", xml), 0), EXACT);

        String demands = Run.file(folder, "net.demands", "DEMANDS 1\nlabel src dest bw\nd 0 2 4000\n");
        assertEquals(4, Run.expected(Run.planned("--topology", field("repetita.graph"), "--connections", demands), 0), EXACT);
        Run.plan("--topology", demands).assertRefused("demands without a network");
        Run.plan("--topology", "diamond", "--connections", demands).assertRefused("demand 'd'", "no node '0'");
        Run.plan("--topology", field("repetita.graph")).assertRefused("--from is missing");
    }

    @Test
    void commentsCharactersAndDirectionsOfGml() {
        String file = Run.file(folder, "net.gml", "# one\n".repeat(20_000) + "Creator \"x # y\"\ngraph [ directed 1 # two ]\n"
                + " node [ id 0 label \"Z&#252;rich &amp; Umgebung\" graphics [ x 1.5 ] ] node [ id 1 ]\n"
                + " edge [ source 0 target 1 LinkSpeedRaw 1e7 ] ]\n# end");
        assertEquals(10, Run.expected(Run.planned("--topology", file, "--from", "Zürich & Umgebung", "--to", "1"), 0), EXACT);
        assertTrue(Run.plan("--topology", file, "--from", "1", "--to", "0").err.contains("nothing with capacity leads"));
    }

    @Test
    void whatIsConvertedIsTheSameNetwork() {
        for (String file : List.of("asymmetric.json", "graphml-labels.graphml", "edge-directed.graphml", "repetita.graph",
                "yed.graphml", "sndlib.xml")) {
            String[] ends = file.startsWith("g") ? new String[] {"Basel", "1"} : file.startsWith("r") ? new String[] {"0_A", "2"}
                    : file.startsWith("y") ? new String[] {"n0", "n1"} : file.startsWith("s") ? new String[] {"A", "B"}
                    : new String[] {"b", "a"};
            Run converted = Run.plan("--topology", field(file), "--convert");
            assertEquals(0, converted.status, converted.err);
            String json = Run.file(folder, "converted.json", converted.out);
            JsonNode one = Run.planned("--topology", field(file), "--from", ends[0], "--to", ends[1]);
            JsonNode other = Run.planned("--topology", json, "--from", ends[0], "--to", ends[1]);
            assertEquals(Run.paths(one, 0), Run.paths(other, 0), file);
            assertEquals(one.get("labels"), other.get("labels"), file);
            assertEquals(Run.expected(one, 0), Run.expected(other, 0), EXACT, file);
        }
        Run.plan("--topology", "diamond", "--convert", "--from", "1", "--to", "5").assertRefused("without --from and --to");
    }

    @Test
    void demandsAreConvertedToATrafficMatrix() {
        String demands = Run.file(folder, "net.demands", "DEMANDS 2\nlabel src dest bw\nd0 0 2 2500\nd1 2 1 500\n");
        Run matrix = Run.plan("--topology", field("repetita.graph"), "--convert", "--connections", demands);
        assertEquals("source,target,mbps\n\"0_A\",\"2_C\",2.5\n\"2_C\",\"1_B\",0.5\n", matrix.out, matrix.err);
        String named = Run.file(folder, "named.json", "{\"nodes\": [{\"id\": \"a, \\\"b\\\"\"}, {\"id\": \"c\"}], "
                + "\"links\": [{\"source\": \"a, \\\"b\\\"\", \"target\": \"c\", \"capacityMbps\": 10}]}");
        String connections = Run.file(folder, "connections.json",
                "[{\"source\": \"c\", \"target\": \"a, \\\"b\\\"\", \"capMbps\": 3}]");
        assertEquals("source,target,mbps\n\"c\",\"a, \"\"b\"\"\",3.0\n",
                Run.plan("--topology", named, "--convert", "--connections", connections).out);
        String unlimited = Run.file(folder, "unlimited.json", "[{\"id\": \"x\", \"source\": \"1\", \"target\": \"5\"}]");
        Run.plan("--topology", "diamond", "--convert", "--connections", unlimited).assertRefused("connection 'x' has no capMbps");
    }

    @Test
    void wrongFilesAreRefusedWithTheirPlace() {
        wrong("x.gml", "graph [\n node [ id 0 ]\n edge [ source 0 ]\n]", "line 3", "a link has no target");
        wrong("x.gml", "graph [\n node [ id 0 ]\n edge [ source 0 target 9 LinkSpeedRaw 1e7 ]\n]", "line 3", "names node '9'");
        wrong("x.gml", "graph [\n node [ id 0 ] node [ id 1 ]\n edge [ source 0 target 1 LinkSpeedRaw \"fast\" ] ]", "line 3", "'fast'");
        wrong("x.gml", "graph [ node [ id 0 label \"x", "line 1", "ends within");
        wrong("x.gml", "graph [ node 3 ]", "line 1", "must be a list");
        wrong("x.gml", "graph [ node [ id ] ]", "id has no value");
        wrong("x.gml", "graph [" + " a [".repeat(100), "deep");
        wrong("x.graph", "NODES 2\nlabel x y\na 1 2\n", "line 3", "expected a node");
        wrong("x.graph", "NODES 1\nlabel x y\na 1 2\nEDGES 1\nlabel\ne 0 0 1 1\n", "line 6", "expected an edge");
        wrong("x.graph", "NODES many\n", "line 1", "NODES and how many");
        wrong("x.txt", "?SNDlib native\nNODES (\n A ( 1 2 )\n)\nLINKS (\n L A B\n)\n", "line 6", "expected a link");
        wrong("x.xml", "<network><links><link id=\"x\"><source>A</source></link></links></network>", "line 1", "without a target");
        wrong("x.json", "{\"links\": [{\"src\": {\"device\": \"of:0000000000000001\"}, \"dst\": {}}]}", "line 1", "\"port\"");
        wrong("x.json", "{\"links\": {\"of:1\": {}}}", "line 1", "no link of a network configuration");
        wrong("x.mn", "{\"switches\": [{\"number\": \"1\"}], \"links\": [\n{\"src\": \"s1\", \"dest\": \"s2\", \"opts\": {\"bw\": 1}}]}",
                "line 2", "'s2'");
        wrong("x.mn", "{\"switches\": [{\"number\": \"1\"}], \"links\": [{\"src\": \"s1\", \"dest\": \"s2\", \"opts\": {\"delay\": \"soon\"}}]}",
                "'soon'");
        wrong("x.mn", "{\"hosts\": [{\"number\": \"1\"}], \"switches\": [{\"number\": \"1\"}], \"links\": [{\"src\": \"h1\", \"dest\": \"s1\"},\n"
                + "{\"src\": \"s1\", \"dest\": \"h1\"}]}", "line 2", "several links");
    }

    private void wrong(String name, String text, String... says) {
        String file = Run.file(folder, name, text);
        Run run = Run.plan("--topology", file, "--from", "0", "--to", "1");
        run.assertRefused(says);
        run.assertRefused(file);
    }

    private static String field(String file) {
        try {
            return Path.of(FilesTest.class.getResource("file/" + file).toURI()).toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
