// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Strategy {@code ecmp}: equal-cost multipath by hash, the baseline of data centres (RFC 2992 describes its hash variants).
 *
 * <p>Every node on the way chooses one of its arcs that lead a hop nearer to a target. It takes a hash of the flow's key, the
 * seed and the node, as switches do. Subflow i of a request has its own key, made of the flow key and i. Several subflows may
 * get the same path: the paths are not disjoint, and siblings and bandwidth do not matter. O(n + links) and k walks.
 */
public final class Ecmp extends AbstractStrategy {
    /** Makes the strategy. */
    public Ecmp() {
        super("ecmp", List.of(Disjointness.NONE), Set.of());
    }

    @Override
    public Set<PathInput> needs() {
        return Set.of(PathInput.FLOW_KEY);
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        DistanceMap distances = workspace.distances;
        int length = distances.measure(workspace.view);
        for (int i = 0; length > 0 && i < request.k; i++) {
            paths.add(walk(request, distances, length, mix(request.flowKey + mix(request.seed + i))));
        }
    }

    private static Path walk(PathRequest request, DistanceMap distances, int length, long key) {
        int[] arcs = new int[length];
        int node = distances.pickStart(mix(key));
        for (int i = 0; i < length; i++) {
            arcs[i] = distances.pickArc(node, mix(key ^ mix(node + 1L)));
            node = request.graph.heads[arcs[i]];
        }
        return Path.trusted(request.graph, request.residual, arcs, length);
    }

    /** Spreads the bits of a number over all 64: the finalizer that Steele, Lea and Flood describe (OOPSLA 2014). */
    private static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Distances to the targets in hops, as far as the nearest source. Belongs to one {@link Workspace}. */
    static final class DistanceMap {
        private PrunedGraph view;
        private int[] distance = {};
        private int[] queue = {};
        private int length;

        /** Computes the distances; returns the hops from the nearest source, or −1 if no path leads from a source to a target. */
        int measure(PrunedGraph in) {
            view = in;
            int nodes = view.graph.nodeCount();
            if (distance.length < nodes) {
                distance = new int[nodes];
                queue = new int[nodes];
            }
            Arrays.fill(distance, 0, nodes, -1);
            int end = 0;
            for (int i = 0; i < view.endCount; i++) {
                distance[view.ends[i]] = 0;
                queue[end++] = view.ends[i];
            }
            for (int next = 0; next < end; next++) {
                end = spread(queue[next], end);
            }
            length = -1;
            for (int i = 0; i < view.startCount; i++) {
                int hops = distance[view.starts[i]];
                length = hops >= 0 && (length < 0 || hops < length) ? hops : length;
            }
            return length;
        }

        private int spread(int node, int oldEnd) {
            int end = oldEnd;
            for (int i = view.graph.offsets[node]; i < view.graph.offsets[node + 1]; i++) {
                int arc = view.graph.out[i] ^ 1;
                int tail = view.graph.heads[arc ^ 1];
                if (distance[tail] < 0 && view.admits(arc, Workspace.ANY)) {
                    distance[tail] = distance[node] + 1;
                    queue[end++] = tail;
                }
            }
            return end;
        }

        int pickStart(long hash) {
            int choices = 0;
            for (int i = 0; i < view.startCount; i++) {
                choices += distance[view.starts[i]] == length ? 1 : 0;
            }
            int pick = (int) Long.remainderUnsigned(hash, choices);
            int i = 0;
            while (distance[view.starts[i]] != length || pick-- > 0) {
                i++;
            }
            return view.starts[i];
        }

        int pickArc(int node, long hash) {
            int choices = 0;
            for (int i = view.graph.offsets[node]; i < view.graph.offsets[node + 1]; i++) {
                choices += leadsNearer(node, view.graph.out[i]) ? 1 : 0;
            }
            int pick = (int) Long.remainderUnsigned(hash, choices);
            int i = view.graph.offsets[node];
            while (!leadsNearer(node, view.graph.out[i]) || pick-- > 0) {
                i++;
            }
            return view.graph.out[i];
        }

        private boolean leadsNearer(int node, int arc) {
            return distance[view.graph.heads[arc]] == distance[node] - 1 && view.admits(arc, Workspace.ANY);
        }
    }
}
