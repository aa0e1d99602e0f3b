// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The arrays that searches work in, kept from one request to the next so that a request allocates nothing but its answer.
 *
 * <p>One thread at a time: {@link #borrow} it and give it back with {@link #close}. A few slots of this class keep idle ones.
 * Thread-locals would keep a stopped bundle's classes alive in other bundles' threads.
 */
final class Workspace implements AutoCloseable {
    /** The smallest positive number: every usable arc has at least that residual bandwidth. */
    static final double ANY = Double.MIN_VALUE;

    private static final AtomicReferenceArray<Workspace> IDLE = new AtomicReferenceArray<>(8);

    final PrunedGraph view = new PrunedGraph();
    final HopSearch hops = new HopSearch();
    final DisjointFlow flow = new DisjointFlow();
    /** For the widest path alone, while another flow is still in use. */
    final DisjointFlow single = new DisjointFlow();
    final WidestAugmentation widest = new WidestAugmentation();
    final WidestFirst widestFirst = new WidestFirst(this);
    final CheapestAugmentation cheapest = new CheapestAugmentation();
    final ThresholdSearch thresholds = new ThresholdSearch();
    final CandidatePaths candidates = new CandidatePaths();
    final DisjointSubset subset = new DisjointSubset();
    final Dinic dinic = new Dinic();
    final Ecmp.DistanceMap distances = new Ecmp.DistanceMap();
    final FlowDecomposition decomposition = new FlowDecomposition();

    private double[] amounts = {};

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
        double width = widest.widest(single, view, Double.POSITIVE_INFINITY, ANY);
        return width > 0 ? shortest(width) : null;
    }

    /** Returns an array of at least so many numbers, with undefined content. */
    double[] amounts(int count) {
        if (amounts.length < count) {
            amounts = new double[count];
        }
        return amounts;
    }

    /** Adds the shortest path, closes it, and so on until there are {@code k} or none is left. */
    void shortestOneByOne(Disjointness kind, int k, List<Path> paths) {
        Path path = shortest(ANY);
        while (path != null) {
            paths.add(path);
            view.close(path, kind);
            path = paths.size() < k ? shortest(ANY) : null;
        }
    }

    /** As {@link #shortestOneByOne}, but after a direct link only further ones beside it follow. */
    void shortestOneByOneUntilDirect(Disjointness kind, int k, boolean hasDirect, List<Path> paths) {
        boolean onlyDirect = hasDirect;
        Path path = shortest(ANY);
        while (path != null && (path.hops() == 1 || !onlyDirect)) {
            paths.add(path);
            view.close(path, kind);
            onlyDirect |= path.hops() == 1;
            path = paths.size() < k ? shortest(ANY) : null;
        }
    }

    /** Adds as many disjoint paths as exist, at most {@code k}, with the fewest hops in total; the shortest first. */
    void fewestHops(Disjointness kind, double bandwidth, int k, List<Path> paths) {
        flow.clear(view, kind == Disjointness.NODE);
        cheapest.begin(flow);
        while (flow.size < k && cheapest.augment(flow, bandwidth)) {
            // One path more each time.
        }
        decomposition.extract(flow, paths);
        paths.sort(Comparator.comparingInt(Path::hops));
    }

    @Override
    public void close() {
        // Do not keep a graph from being collected.
        view.graph = null;
        view.residual = null;
        flow.network = null;
        single.network = null;
        dinic.forget();
        for (int i = 0; i < IDLE.length(); i++) {
            if (IDLE.compareAndSet(i, null, this)) {
                return;
            }
        }
    }
}
