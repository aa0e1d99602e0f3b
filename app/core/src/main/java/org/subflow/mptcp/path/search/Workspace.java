// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.Preference;

/**
 * The arrays that searches work in, kept from one request to the next so that a request allocates nothing but its answer.
 *
 * <p>One thread at a time: {@link #borrow} it and give it back with {@link #close}. A few slots of this class keep idle ones.
 * Thread-locals would keep a stopped bundle's classes alive in other bundles' threads.
 */
public final class Workspace implements AutoCloseable {
    /** The smallest positive number: every usable arc has at least that residual bandwidth. */
    public static final double ANY = Double.MIN_VALUE;

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
    final Dinic dinic = new Dinic();
    final FlowDecomposition decomposition = new FlowDecomposition();

    private final Map<Class<?>, Object> own = new HashMap<>();
    private double[] amounts = {};

    private Workspace() {
    }

    /** Returns an idle workspace, or a new one. */
    public static Workspace borrow() {
        for (int i = 0; i < IDLE.length(); i++) {
            Workspace idle = IDLE.getAndSet(i, null);
            if (idle != null) {
                return idle;
            }
        }
        return new Workspace();
    }

    /** Returns the graph of the request with links and nodes closed. */
    public PrunedGraph view() {
        return view;
    }

    /**
     * Returns an object with arrays of a strategy's own, kept like those of this class.
     *
     * @param type  its class
     * @param maker makes it at the first call
     * @return the same object each time
     */
    public <T> T own(Class<T> type, Supplier<T> maker) {
        return type.cast(own.computeIfAbsent(type, unused -> maker.get()));
    }

    /** Finds the path with the fewest hops in the view; {@code null} if there is none. */
    public Path shortest(double bandwidth) {
        return hops.find(view, bandwidth) ? view.path(hops.arcs, hops.length) : null;
    }

    /** Finds the widest path in the view, of those the one with the fewest hops; {@code null} if there is none. */
    public Path widest() {
        double width = widest.widest(single, view, Double.POSITIVE_INFINITY, ANY);
        return width > 0 ? shortest(width) : null;
    }

    /**
     * As {@link #widest()}, by other bandwidths than the residual ones.
     *
     * @param bandwidth by arc, bit/s
     * @param least     the least width of a path, bit/s, above 0
     */
    public Path widest(double[] bandwidth, double least) {
        double[] residual = view.residual;
        view.residual = bandwidth;
        double width = widest.widest(single, view, Double.POSITIVE_INFINITY, least);
        boolean found = width > 0 && hops.find(view, width);
        view.residual = residual;
        return found ? view.path(hops.arcs, hops.length) : null;
    }

    /** Returns the value of the maximum flow between the view's open ends, bit/s, on links with this bandwidth by arc. */
    public double maximumFlow(double[] bandwidth) {
        return dinic.flow(view.graph, bandwidth, view.starts, view.startCount, view.ends, view.endCount);
    }

    /** Returns what the last maximum flow sends over each arc, bit/s; valid until the next call. */
    public double[] amounts() {
        if (amounts.length < view.graph.arcCount()) {
            amounts = new double[view.graph.arcCount()];
        }
        dinic.amounts(amounts);
        return amounts;
    }

    /** Adds the shortest path, closes it, and so on until there are {@code k} or none is left. */
    public void shortestOneByOne(Disjointness kind, int k, List<Path> paths) {
        Path path = shortest(ANY);
        while (path != null) {
            paths.add(path);
            view.close(path, kind);
            path = paths.size() < k ? shortest(ANY) : null;
        }
    }

    /** As {@link #shortestOneByOne}, but after a direct link only further ones beside it follow. */
    public void shortestOneByOneUntilDirect(Disjointness kind, int k, boolean hasDirect, List<Path> paths) {
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
    public void fewestHops(Disjointness kind, double bandwidth, int k, List<Path> paths) {
        flow.clear(view, kind == Disjointness.NODE);
        cheapest.begin(flow);
        while (flow.size < k && cheapest.augment(flow, bandwidth)) {
            // One path more each time.
        }
        decomposition.extract(flow, paths);
        paths.sort(Comparator.comparingInt(Path::hops));
    }

    /**
     * Adds as many disjoint paths as exist, at most {@code k}, whose narrowest is as wide as possible.
     *
     * @param kind       link- or node-disjoint
     * @param k          the most paths
     * @param preference which of the best sets: see {@link Preference}
     * @param paths      where to add them
     */
    public void widestDisjoint(Disjointness kind, int k, Preference preference, List<Path> paths) {
        flow.clear(view, kind == Disjointness.NODE);
        double first = widest.augment(flow, Double.POSITIVE_INFINITY, ANY);
        if (first == 0) {
            return;
        }
        double narrowest = first;
        for (double width = first; width > 0 && flow.size < k;) {
            width = widest.augment(flow, narrowest, ANY);
            narrowest = width > 0 ? width : narrowest;
        }
        if (preference == Preference.HOPS) {
            fewestHops(kind, narrowest, flow.size, paths);
        } else {
            widestFirst.search(kind, narrowest, first, paths);
        }
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
