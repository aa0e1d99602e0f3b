// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.path.Graph;

/**
 * k-ary fat trees with hosts as nodes (Al-Fares, Loukissas, Vahdat, SIGCOMM 2008): k pods of k/2 edge and k/2 aggregation
 * switches, (k/2)² core switches, k/2 hosts at every edge switch. With k = 4 it has 36 nodes and 48 links, with k = 32 it has
 * 9472 and 24576, as in S-MPTCP, Table 4.
 *
 * <p>Core switches come first ({@code c0}, …), then the aggregation ({@code a}<i>pod</i>{@code -}<i>i</i>) and edge
 * ({@code e}<i>pod</i>{@code -}<i>i</i>) switches, then the hosts ({@code h}<i>pod</i>{@code -}<i>edge</i>{@code -}<i>i</i>).
 */
public final class FatTree {
    private FatTree() {
    }

    /**
     * Builds a fat tree.
     *
     * @param k        ports of a switch: even, 2 to 64
     * @param capacity of each direction of each link, in bit/s
     * @return the tree
     * @throws IllegalArgumentException if {@code k} is odd or out of range
     */
    public static Topology of(int k, double capacity) {
        if (k < 2 || k > 64 || k % 2 != 0) {
            throw new IllegalArgumentException("a fat tree needs an even k from 2 to 64, not " + k);
        }
        int half = k / 2;
        Graph.Builder builder = Graph.builder(half * half + k * k + k * half * half);
        for (int pod = 0; pod < k; pod++) {
            for (int i = 0; i < half; i++) {
                for (int j = 0; j < half; j++) {
                    builder.link(core(k, i, j), aggregation(k, pod, i), capacity);
                    builder.link(aggregation(k, pod, i), edge(k, pod, j), capacity);
                    builder.link(edge(k, pod, i), host(k, pod, i, j), capacity);
                }
            }
        }
        return new Topology("fattree" + k, names(k), builder.build());
    }

    private static List<String> names(int k) {
        int half = k / 2;
        List<String> names = new ArrayList<>();
        for (int i = 0; i < half * half; i++) {
            names.add("c" + i);
        }
        for (String layer : List.of("a", "e")) {
            for (int i = 0; i < k * half; i++) {
                names.add(layer + i / half + "-" + i % half);
            }
        }
        for (int i = 0; i < k * half * half; i++) {
            names.add("h" + i / (half * half) + "-" + i / half % half + "-" + i % half);
        }
        return names;
    }

    private static int core(int k, int group, int i) {
        return group * k / 2 + i;
    }

    private static int aggregation(int k, int pod, int i) {
        return k * k / 4 + pod * k / 2 + i;
    }

    private static int edge(int k, int pod, int i) {
        return 3 * k * k / 4 + pod * k / 2 + i;
    }

    /**
     * Returns the id of a host.
     *
     * @param k    ports of a switch
     * @param pod  0 to k − 1
     * @param edge the edge switch in the pod, 0 to k/2 − 1
     * @param i    the host at the switch, 0 to k/2 − 1
     */
    public static int host(int k, int pod, int edge, int i) {
        return 5 * k * k / 4 + (pod * k / 2 + edge) * k / 2 + i;
    }
}
