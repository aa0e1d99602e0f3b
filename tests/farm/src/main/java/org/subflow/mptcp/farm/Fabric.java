// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.util.ArrayList;
import java.util.List;

/**
 * Switches, links and hosts. A 4-ary fat tree (Al-Fares et al., SIGCOMM 2008) has 4 core switches, and 4 pods of 2 aggregation and 2
 * edge switches. Here there are as many such pods as wanted, each linked to the same 4 core switches. So two edge switches of
 * different pods have 2 disjoint paths and 4 different shortest ones, of 5 switches each. Immutable.
 */
final class Fabric {
    static final int LEAST_SWITCHES = 20;
    static final int MOST_SWITCHES = 1000;
    /** Hosts of an edge switch. */
    static final int HOSTS = 2;

    private static final int CORES = 4;
    private static final int POD = 4;

    private final int switches;
    /** By switch: the other end of each port, from port 1 on. */
    private final List<List<End>> ends = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();

    /** A port of a switch. Switches count from 1, as ports do. */
    record End(int node, int port) { }

    /** A host: its number, from 0 on, and where it is attached. */
    record Host(int number, End at) {
        long mac() {
            return 0x020000000000L + number + 1;
        }

        int address() {
            return 0x0a000000 + number + 1;
        }

        int pod() {
            return (at.node() - CORES - 1) / POD;
        }
    }

    /**
     * Makes a fabric.
     *
     * @param switches how many; rounded down to a multiple of 4
     * @throws IllegalArgumentException if there are too few or too many
     */
    Fabric(int switches) {
        if (switches < LEAST_SWITCHES || switches > MOST_SWITCHES) {
            throw new IllegalArgumentException(
                    "a farm has " + LEAST_SWITCHES + " to " + MOST_SWITCHES + " switches, not " + switches);
        }
        int pods = (switches - CORES) / POD;
        this.switches = CORES + pods * POD;
        for (int node = 0; node <= this.switches; node++) {
            ends.add(new ArrayList<>());
        }
        for (int pod = 0; pod < pods; pod++) {
            int first = CORES + pod * POD + 1;
            for (int aggregation = 0; aggregation < 2; aggregation++) {
                link(first + aggregation, 1 + 2 * aggregation);
                link(first + aggregation, 2 + 2 * aggregation);
                link(first + 2, first + aggregation);
                link(first + 3, first + aggregation);
            }
            for (int edge = first + 2; edge <= first + 3; edge++) {
                for (int host = 0; host < HOSTS; host++) {
                    ends.get(edge).add(null);
                    hosts.add(new Host(hosts.size(), new End(edge, ends.get(edge).size())));
                }
            }
        }
    }

    private void link(int one, int other) {
        End ofOne = new End(one, ends.get(one).size() + 1);
        End ofOther = new End(other, ends.get(other).size() + 1);
        ends.get(one).add(ofOther);
        ends.get(other).add(ofOne);
    }

    int switches() {
        return switches;
    }

    /** {@return how many ports a switch has} */
    int ports(int node) {
        return ends.get(node).size();
    }

    /** {@return the other end of the link at a port; null if there is none, as at a host's port} */
    End across(int node, int port) {
        List<End> ports = ends.get(node);
        return port >= 1 && port <= ports.size() ? ports.get(port - 1) : null;
    }

    List<Host> hosts() {
        return hosts;
    }

    /** {@return how many links there are between switches} */
    int links() {
        return (int) ends.stream().flatMap(List::stream).filter(end -> end != null).count() / 2;
    }
}
