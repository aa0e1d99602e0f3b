// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathInput;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.search.HopDistances;
import org.subflow.mptcp.path.search.PrunedGraph;
import org.subflow.mptcp.path.search.Workspace;

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
        PrunedGraph view = workspace.view();
        HopDistances distances = workspace.own(HopDistances.class, HopDistances::new);
        distances.measure(view);
        int length = HopDistances.NONE;
        for (int i = 0; i < view.startCount(); i++) {
            length = Math.min(length, distances.from(view.start(i)));
        }
        for (int i = 0; length < HopDistances.NONE && i < request.k(); i++) {
            paths.add(walk(view, distances, length, mix(request.flowKey() + mix(request.seed() + i))));
        }
    }

    private static Path walk(PrunedGraph view, HopDistances distances, int length, long key) {
        int[] arcs = new int[length];
        int node = pickStart(view, distances, length, mix(key));
        for (int i = 0; i < length; i++) {
            arcs[i] = pickArc(view, distances, node, mix(key ^ mix(node + 1L)));
            node = view.graph().head(arcs[i]);
        }
        return view.path(arcs, length);
    }

    private static int pickStart(PrunedGraph view, HopDistances distances, int length, long hash) {
        int choices = 0;
        for (int i = 0; i < view.startCount(); i++) {
            choices += distances.from(view.start(i)) == length ? 1 : 0;
        }
        int pick = (int) Long.remainderUnsigned(hash, choices);
        int i = 0;
        while (distances.from(view.start(i)) != length || pick-- > 0) {
            i++;
        }
        return view.start(i);
    }

    private static int pickArc(PrunedGraph view, HopDistances distances, int node, long hash) {
        Graph graph = view.graph();
        int choices = 0;
        for (int i = graph.offset(node); i < graph.offset(node + 1); i++) {
            choices += leadsNearer(view, distances, node, graph.out(i)) ? 1 : 0;
        }
        int pick = (int) Long.remainderUnsigned(hash, choices);
        int i = graph.offset(node);
        while (!leadsNearer(view, distances, node, graph.out(i)) || pick-- > 0) {
            i++;
        }
        return graph.out(i);
    }

    private static boolean leadsNearer(PrunedGraph view, HopDistances distances, int node, int arc) {
        return distances.from(view.graph().head(arc)) == distances.from(node) - 1 && view.admits(arc, Workspace.ANY);
    }

    /** Spreads the bits of a number over all 64: the finalizer that Steele, Lea and Flood describe (OOPSLA 2014). */
    private static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
