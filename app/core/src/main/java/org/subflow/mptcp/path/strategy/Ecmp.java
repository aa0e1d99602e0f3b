// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Disjointness;
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
        int[] starts = nearest(view, distances);
        for (int i = 0; starts.length > 0 && i < request.k(); i++) {
            paths.add(walk(view, distances, starts, mix(request.flowKey() + mix(request.seed() + i))));
        }
    }

    /** Returns the open sources with the fewest hops to a target. */
    private static int[] nearest(PrunedGraph view, HopDistances distances) {
        int least = IntStream.range(0, view.startCount()).map(i -> distances.from(view.start(i))).min().orElse(HopDistances.NONE);
        return least == HopDistances.NONE ? new int[0]
                : IntStream.range(0, view.startCount()).map(view::start).filter(node -> distances.from(node) == least).toArray();
    }

    private static Path walk(PrunedGraph view, HopDistances distances, int[] starts, long key) {
        int node = starts[pick(mix(key), starts.length)];
        int[] arcs = new int[distances.from(node)];
        for (int i = 0; i < arcs.length; i++) {
            int at = node;
            int[] choices = IntStream.range(view.graph().offset(at), view.graph().offset(at + 1)).map(view.graph()::out)
                    .filter(arc -> view.admits(arc, Workspace.ANY)
                            && distances.from(view.graph().head(arc)) == distances.from(at) - 1).toArray();
            arcs[i] = choices[pick(mix(key ^ mix(at + 1L)), choices.length)];
            node = view.graph().head(arcs[i]);
        }
        return view.path(arcs, arcs.length);
    }

    private static int pick(long hash, int choices) {
        return (int) Long.remainderUnsigned(hash, choices);
    }

    /** Spreads the bits of a number over all 64: the finalizer that Steele, Lea and Flood describe (OOPSLA 2014). */
    private static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
