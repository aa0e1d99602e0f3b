// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;
import org.subflow.mptcp.path.Graph;

/**
 * Finds augmenting paths of a {@link DisjointFlow} that add the fewest hops: successive shortest paths with potentials
 * (Suurballe and Tarjan 1984, for any number of paths). After every augmentation the paths of the flow have the fewest hops
 * in total of all sets of so many disjoint paths. O((n + links) · log n) for each. Belongs to one {@link Workspace}.
 */
final class CheapestAugmentation {
    private final NodeHeap heap = new NodeHeap();
    private long[] distance = {};
    private int[] via = {};
    private int[] seen = {};
    private int[] settled = {};
    private int settledCount;
    private int epoch;

    /** The potential of each node: the sum of its distances over the augmentations of one flow, 0 at first. */
    private long[] potential = {};
    private int[] flowSeen = {};
    private int flowEpoch;
    private long sourcePotential;

    /** Starts with a flow that has no path yet. */
    void begin(DisjointFlow flow) {
        int nodes = flow.network.nodeCount();
        if (seen.length < nodes) {
            distance = new long[nodes];
            via = new int[nodes];
            seen = new int[nodes];
            settled = new int[nodes];
            potential = new long[nodes];
            flowSeen = new int[nodes];
        }
        if (++flowEpoch == 0) {
            Arrays.fill(flowSeen, 0);
            flowEpoch = 1;
        }
        sourcePotential = 0;
    }

    /**
     * Adds a path.
     *
     * @param flow      the flow, changed by nothing else since {@link #begin}
     * @param bandwidth residual bandwidth that each arc must have, in bit/s, above 0
     * @return whether there is one more path
     */
    boolean augment(DisjointFlow flow, double bandwidth) {
        Graph network = flow.network;
        int end = search(flow, bandwidth);
        if (end < 0) {
            return false;
        }
        // The usual update, less the distance of the end: so unlabelled nodes need none.
        long length = distance[end] + potential(end);
        for (int i = 0; i < settledCount; i++) {
            int node = settled[i];
            if (distance[node] < length) {
                potential[node] = potential(node) + distance[node] - length;
                flowSeen[node] = flowEpoch;
            }
        }
        sourcePotential -= length;
        for (int node = end; via[node] >= 0;) {
            int arc = via[node];
            node = network.head(arc ^ 1);
            flow.push(arc);
        }
        flow.size++;
        return true;
    }

    private long potential(int node) {
        return flowSeen[node] == flowEpoch ? potential[node] : 0;
    }

    /** Dijkstra's algorithm on reduced costs; returns the cheapest end, or −1. */
    private int search(DisjointFlow flow, double bandwidth) {
        if (++epoch == 0) {
            Arrays.fill(seen, 0);
            epoch = 1;
        }
        settledCount = 0;
        heap.clear(flow.network.nodeCount());
        for (int i = 0; i < flow.view.startCount; i++) {
            int node = flow.start(flow.view.starts[i]);
            label(node, -1, sourcePotential - potential(node));
        }
        int best = -1;
        while (!heap.isEmpty()) {
            int node = heap.poll();
            if (best >= 0 && distance[node] >= distance[best] + potential(best)) {
                break;
            }
            settled[settledCount++] = node;
            if (isEnd(flow, node)) {
                if (best < 0 || distance[node] + potential(node) < distance[best] + potential(best)) {
                    best = node;
                }
            } else {
                scan(flow, node, bandwidth);
            }
        }
        return best;
    }

    private static boolean isEnd(DisjointFlow flow, int node) {
        return flow.split ? (node & 1) == 0 && flow.view.isEnd(node >> 1) : flow.view.isEnd(node);
    }

    private void scan(DisjointFlow flow, int node, double bandwidth) {
        Graph network = flow.network;
        long base = distance[node] + potential(node);
        for (int i = network.offset(node); i < network.offset(node + 1); i++) {
            int arc = network.out(i);
            if (flow.width(arc) < bandwidth) {
                continue;
            }
            long cost = !flow.isLink(arc) ? 0 : flow.carries(arc ^ 1) ? -flow.cost(arc ^ 1) : flow.cost(arc);
            int head = network.head(arc);
            long length = base + cost - potential(head);
            if (seen[head] != epoch || length < distance[head]) {
                label(head, arc, length);
            }
        }
    }

    private void label(int node, int arc, long length) {
        seen[node] = epoch;
        distance[node] = length;
        via[node] = arc;
        // Exact: costs add up to less than 2^53.
        heap.improve(node, (double) -length, 0);
    }
}
