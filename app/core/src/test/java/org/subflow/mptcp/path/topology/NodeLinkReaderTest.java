// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.subflow.mptcp.path.Graph;

class NodeLinkReaderTest {
    @Test
    void anUndirectedLinkHasItsCapacityEachWay() {
        Graph graph = read("{'directed': false, 'graph': {}, 'nodes': [{'id': 'a', 'x': [1]}, {'id': 7}],"
                + " 'links': [{'source': 'a', 'target': 7, 'capacityMbps': 2.5, 'key': 0}]}").graph();

        assertEquals(1, graph.linkCount());
        assertEquals(2.5e6, graph.capacity(0));
        assertEquals(2.5e6, graph.capacity(1));
    }

    @Test
    void edgesMayBeCalledEdgesAndComeFirst() {
        Topology topology = read("{'edges': [{'source': 'a', 'target': 'b'}], 'nodes': [{'id': 'b'}, {'id': 'a'}]}");

        assertEquals(topology.node("a"), topology.graph().tail(0));
        assertEquals(10e6, topology.graph().capacity(0), "the default");
    }

    @Test
    void linksUnderBothNamesCountOnce() {
        String links = "[{'source': 'a', 'target': 'b', 'capacityMbps': 1}, {'source': 'a', 'target': 'b', 'capacityMbps': 2}]";
        Topology topology = read("{'nodes': [{'id': 'a'}, {'id': 'b'}, {'id': 'c'}], 'links': " + links + ", 'edges': "
                + links.replace("]", ", {'source': 'c', 'target': 'b'}]") + "}");

        assertEquals(3, topology.graph().linkCount(), "two parallel ones, and one that only the second list has");
        assertEquals(List.of("net: 1 of 3 links gives no capacity: 10 Mbit/s taken (--capacity)"), topology.notes());
    }

    @Test
    void linksFromANodeToItselfAreLeftOutAndNoted() {
        Topology topology = read("{'nodes': [{'id': 'a'}, {'id': 'b'}], 'links': [{'source': 'a', 'target': 'b', 'capacityMbps': 1},"
                + " {'source': 'a', 'target': 'a'}, {'source': 'b', 'target': 'b', 'capacityMbps': 1}]}");

        assertEquals(1, topology.graph().linkCount());
        assertEquals(List.of("net, line 1: link a–a joins a node to itself, and is left out, and 1 more likewise"), topology.notes());
    }

    @Test
    void aLabelThatOneNodeHasIsAName() {
        Topology topology = read("{'nodes': [{'id': 0, 'label': 'Bern'}, {'id': 1, 'label': 'Ulm'}, {'id': 2, 'label': 'Ulm'},"
                + " {'id': 3, 'label': '0'}, {'id': 'x', 'label': null}], 'links': []}");

        assertEquals(0, topology.node("Bern"));
        assertEquals(0, topology.node("0"), "names go before labels");
        assertEquals(List.of("Bern", "1 (Ulm)", "2 (Ulm)", "3 (0)", "x"),
                     IntStream.range(0, 5).mapToObj(topology::shown).collect(Collectors.toList()));
        String message = assertThrows(IllegalArgumentException.class, () -> topology.node("Ulm")).getMessage();
        assertEquals("several nodes have the label 'Ulm'; name one of them: 1, 2", message);
    }

    @Test
    void speedsOfTheTopologyZoo() {
        Graph graph = read("{'nodes': [{'id': 'a'}, {'id': 'b'}], 'links': ["
                + "{'source': 'a', 'target': 'b', 'LinkSpeed': '2.5', 'LinkSpeedUnits': 'G'},"
                + "{'source': 'a', 'target': 'b', 'LinkSpeed': 622, 'LinkSpeedUnits': 'Mbps', 'LinkSpeedRaw': 9000000.0},"
                + "{'source': 'a', 'target': 'b', 'LinkSpeed': '64', 'LinkSpeedUnits': 'K'}]}").graph();

        assertEquals(2.5e9, graph.capacity(0));
        assertEquals(9e6, graph.capacity(2), "LinkSpeedRaw goes before LinkSpeed");
        assertEquals(64e3, graph.capacity(4));
    }

    @Test
    void directionsThatMatchBecomeOneLink() {
        Graph graph = read("{'directed': true, 'nodes': [{'id': 'a'}, {'id': 'b'}], 'links': ["
                + "{'source': 'a', 'target': 'b', 'capacityMbps': 1}, {'source': 'a', 'target': 'b', 'capacityMbps': 2},"
                + "{'source': 'b', 'target': 'a', 'capacityMbps': 3}]}").graph();

        assertEquals(2, graph.linkCount());
        assertEquals(1e6, graph.capacity(0));
        assertEquals(3e6, graph.capacity(1));
        assertEquals(2e6, graph.capacity(2));
        assertEquals(0, graph.capacity(3), "one way only");
    }

    @Test
    void aHostWithSeveralInterfacesIsANodeThatNoPathLeadsThrough() {
        Topology topology = read("{'pairs': [[['a', 'b'], 'c'], ['c', ['b', 'a']]], 'nodes': [{'id': 'a'}, {'id': 'b'}, {'id': 'c'}],"
                + " 'links': [{'source': 'a', 'target': 'c', 'capacityMbps': 1}, {'source': 'c', 'target': 'b', 'capacityMbps': 2},"
                + "{'source': 'a', 'target': 'b', 'capacityMbps': 3}]}");
        Graph graph = topology.graph();

        assertEquals(List.of("a", "b", "c", "h1", "h4"), topology.nodes());
        assertEquals(topology.node("c"), topology.node("h2"), "has one interface");
        assertEquals(4, graph.degree(topology.node("h1")), "as many as the links behind: two at a, two at b");
        assertEquals(Set.of(1e6, 2e6, 3e6), capacities(graph, topology.node("h1"), false));
        assertEquals(Set.of(0.0), capacities(graph, topology.node("h1"), true));
        assertEquals(Set.of(1e6, 2e6, 3e6), capacities(graph, topology.node("h4"), true));
        assertEquals(Set.of(0.0), capacities(graph, topology.node("h4"), false));
    }

    private static Set<Double> capacities(Graph graph, int node, boolean inwards) {
        Set<Double> found = new HashSet<>();
        for (int i = 0; i < graph.degree(node); i++) {
            int arc = graph.arcFrom(node, i);
            found.add(graph.capacity(inwards ? Graph.reverse(arc) : arc));
        }
        return found;
    }

    @Test
    void hostsWithOneInterfaceEachAreNoNodes() {
        Topology topology = read("{'nodes': [{'id': 'h1'}, {'id': 'b'}], 'links': [], 'pairs': [['h1', 'b']]}");

        assertEquals(List.of("h1", "b"), topology.nodes());
        assertThrows(IllegalArgumentException.class, () -> topology.node("h2"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "line 1: expected an object with nodes and links | []",
        "not JSON at line 1 | {'nodes': [",
        "not JSON at line 1 | {'nodes': x}",
        "no \"nodes\" list | {'links': []}",
        "no \"links\" list | {'nodes': [{'id': 'a'}]}",
        "there is more after | {'nodes': [{'id': 'a'}], 'links': []} {}",
        "there is no node | {'nodes': [], 'links': []}",
        "a pair names node 'z' | {'nodes': [{'id': 'a'}], 'links': [], 'pairs': [['a', ['z']]]}",
        "each at another node | {'nodes': [{'id': 'a'}], 'links': [], 'pairs': [[['a', 'a'], 'a']]}",
        "each at another node | {'nodes': [{'id': 'a'}], 'links': [], 'pairs': [[[], 'a']]}",
        "the name of a host | {'nodes': [{'id': 'a'}, {'id': 'h2'}], 'links': [], 'pairs': [[['a', 'h2'], 'a']]}",
        "expected a pair | {'nodes': [], 'links': [], 'pairs': ['a']}",
        "expected a list of pairs | {'nodes': [], 'links': [], 'pairs': 3}",
        "expected two nodes | {'nodes': [], 'links': [], 'pairs': [['a', 'b', 'c']]}",
        "a host's node must be text | {'nodes': [], 'links': [], 'pairs': [['a']]}",
        "a host's node must be text | {'nodes': [], 'links': [], 'pairs': [[[['a']], 'b']]}",
        "expected a list of nodes | {'nodes': 3, 'links': []}",
        "expected an object in links | {'nodes': [], 'links': [3]}",
        "has no \"id\" | {'nodes': [{}], 'links': []}",
        "node 'a' comes twice | {'nodes': [{'id': 'a'}, {'id': 'a'}], 'links': []}",
        "no \"target\" | {'nodes': [{'id': 'a'}], 'links': [{'source': 'a'}]}",
        "names node 'b' | {'nodes': [{'id': 'a'}], 'links': [{'source': 'a', 'target': 'b'}]}",
        "lists its links twice | {'nodes': [{'id': 'a'},{'id': 'b'}], 'links': [{'source': 'a', 'target': 'b', 'capacityMbps': 1}],"
                + "'edges': [{'source': 'b', 'target': 'a', 'capacityMbps': 2}]}",
        "LinkSpeedUnits 'furlongs' | {'nodes': [{'id': 'a'},{'id': 'b'}], "
                + "'links': [{'source': 'a', 'target': 'b', 'LinkSpeed': '3', 'LinkSpeedUnits': 'furlongs'}]}",
        "LinkSpeed '3-5', which is no number | {'nodes': [{'id': 'a'},{'id': 'b'}], "
                + "'links': [{'source': 'a', 'target': 'b', 'LinkSpeed': '3-5', 'LinkSpeedUnits': 'M'}]}",
        "capacity -1.0 | {'nodes': [{'id': 'a'},{'id': 'b'}], 'links': [{'source': 'a', 'target': 'b', 'capacityMbps': -1}]}",
        "number, not much | {'nodes': [{'id': 'a'},{'id': 'b'}], "
                + "'links': [{'source': 'a', 'target': 'b', 'capacityMbps': 'much'}]}",
        "must be text or a number | {'nodes': [{'id': null}], 'links': []}",
    })
    void badFilesAreRefusedInOneLineThatNamesThePlace(String part, String json) {
        String message = assertThrows(IllegalArgumentException.class, () -> read(json)).getMessage();

        assertTrue(message.startsWith("net") && message.contains(part), message);
        assertEquals(1, message.lines().count(), message);
    }

    @Test
    void aLinkWithoutCapacityNeedsADefault() {
        String json = "{'nodes': [{'id': 'a'}, {'id': 'b'}], 'links': [{'source': 'a', 'target': 'b'}]}";

        String message = assertThrows(IllegalArgumentException.class, () -> read(json, Double.NaN)).getMessage();
        assertTrue(message.contains("a–b gives no capacityMbps"), message);
    }

    private static Topology read(String json) {
        return read(json, 10);
    }

    private static Topology read(String json, double defaultMbps) {
        try {
            byte[] bytes = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            // Messages quote names with apostrophes, files with quotation marks.
            return NodeLinkReader.read("net", new ByteArrayInputStream(bytes), defaultMbps);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
