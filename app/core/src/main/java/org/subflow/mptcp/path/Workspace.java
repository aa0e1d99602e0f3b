// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The arrays that searches work in, kept from one request to the next so that a request allocates nothing but its answer.
 *
 * <p>One thread at a time: {@link #borrow} it and give it back with {@link #close}. Kept in a few slots of this class
 * instead of in thread-locals, which would keep a stopped bundle's classes alive in other people's threads.
 */
final class Workspace implements AutoCloseable {
    /** The smallest bandwidth there is: every arc that can be used at all has at least that. */
    static final double ANY = Double.MIN_VALUE;

    private static final AtomicReferenceArray<Workspace> IDLE = new AtomicReferenceArray<>(8);

    final PrunedGraph view = new PrunedGraph();
    final HopSearch hops = new HopSearch();
    final DisjointFlow flow = new DisjointFlow();
    final WidestAugmentation widest = new WidestAugmentation();
    final CheapestAugmentation cheapest = new CheapestAugmentation();
    final ThresholdSearch thresholds = new ThresholdSearch();
    final FlowDecomposition decomposition = new FlowDecomposition();

    private Workspace() {
    }

    static Workspace borrow() {
        for (int i = 0; i < IDLE.length(); i++) {
            Workspace idle = IDLE.getAndSet(i, null);
            if (idle != null) {
                return idle;
            }
        }
        return new Workspace();
    }

    /** Finds the path with the fewest hops in the view; {@code null} if there is none. */
    Path shortest(double bandwidth) {
        return hops.find(view, bandwidth)
                ? Path.trusted(view.graph, view.residual, hops.arcs, hops.length)
                : null;
    }

    /** Finds the widest path in the view, of those the one with the fewest hops; {@code null} if there is none. */
    Path widest() {
        double width = widest.widest(flow, view, ANY);
        return width > 0 ? shortest(width) : null;
    }

    @Override
    public void close() {
        // Do not keep a graph from being collected.
        view.graph = null;
        view.residual = null;
        flow.network = null;
        for (int i = 0; i < IDLE.length(); i++) {
            if (IDLE.compareAndSet(i, null, this)) {
                return;
            }
        }
    }
}
