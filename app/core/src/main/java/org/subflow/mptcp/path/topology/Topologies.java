// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.subflow.mptcp.path.Graph;

/** The fixed topologies of the papers. */
public final class Topologies {
    private static final double MEGABIT = 1e6;

    private Topologies() {
    }

    /**
     * The example of Sheu et al., Fig. 2.1: eight switches s, a to f and t. The weights, in Mbit/s, are reconstructed from
     * the text, as the figure gives few of them.
     */
    public static Topology sheu8() {
        String nodes = "sabcdeft";
        String[] links = {"sa10", "sb9", "sc8", "ab9", "ad9", "bd9", "be9", "bf8", "de6", "dt8", "ce7", "cf4", "et8", "ft7"};
        Graph.Builder builder = Graph.builder(nodes.length());
        for (String link : links) {
            builder.link(nodes.indexOf(link.charAt(0)), nodes.indexOf(link.charAt(1)),
                    Integer.parseInt(link.substring(2)) * MEGABIT);
        }
        return new Topology("sheu8", List.of(nodes.split("")), builder.build());
    }

    /**
     * Internet2 layer 2 (OS3E): 34 nodes, 42 links.
     *
     * @param capacity of each direction of each link, in bit/s; the map gives none
     */
    public static Topology os3e(double capacity) {
        return resource("os3e", capacity);
    }

    /**
     * CERNET, China, 2006: 41 nodes, 59 links, two of them parallel. From the Internet Topology Zoo (Knight et al., IEEE
     * JSAC 29(9), 2011), CC BY 4.0.
     *
     * @param capacity of each direction of each link, in bit/s; the map's own speeds are not used
     */
    public static Topology cernet(double capacity) {
        return resource("cernet", capacity);
    }

    private static Topology resource(String name, double capacity) {
        try (InputStream in = Topologies.class.getResourceAsStream(name + ".json")) {
            return NodeLinkReader.read(name, in, capacity / MEGABIT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
