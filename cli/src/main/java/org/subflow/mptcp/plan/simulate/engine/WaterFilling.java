// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.Arrays;
import java.util.Collection;

/**
 * Max-min fair rates of subflows by water-filling: all levels (rate ÷ weight) rise together. The arc with the lowest level is
 * full first; its subflows stop, the others go on. With equal weights this is exact (Bertsekas, Gallager, "Data Networks", section
 * 6.5). O(hops of all subflows · log arcs).
 *
 * <p>With rounds it approximates max-min fairness of connections, as the adaptive water-filler of Soroush does (Namyar et al.,
 * NSDI 2024, section 3): a subflow's weight is its part of its connection's rate in the last round. The rates are feasible, and no
 * subflow could have more. How far totals are from the fair ones is not known; a run measures it at its snapshots.
 */
final class WaterFilling implements Sharing {
    /** Rounds with changed weights. Later rounds bring little: a subflow's part settles in the first ones. */
    static final int ROUNDS = 4;
    /** A subflow that got nothing in a round may get something in the next one. */
    private static final double LEAST_WEIGHT = 1e-4;

    private final int rounds;
    /** Subflows on arc a stand in {@link #on} from {@code start[a]} to {@code start[a + 1]}. */
    private final int[] start;
    private final double[] remaining;
    private final double[] weightOn;
    private final int[] rising;
    private final LevelHeap heap;
    private int[] on = new int[1024];
    private int[] first = new int[256];
    private int[] arcs = new int[1024];
    private double[] weights = new double[256];
    private int subflows;

    WaterFilling(int arcCount, int rounds) {
        this.rounds = rounds;
        start = new int[arcCount + 1];
        remaining = new double[arcCount];
        weightOn = new double[arcCount];
        rising = new int[arcCount];
        heap = new LevelHeap(arcCount);
    }

    @Override
    public double[] rates(double[] capacity, Collection<Connection> connections) {
        lay(connections);
        int next = 0;
        for (Connection connection : connections) {
            int active = connection.active();
            Arrays.fill(weights, next, next + active, rounds == 0 ? 1 : connection.arrival.weight() / active);
            next += active;
        }
        double[] rates = fill(capacity);
        for (int round = 0; round < rounds; round++) {
            weigh(connections, rates);
            rates = fill(capacity);
        }
        return rates;
    }

    private void weigh(Collection<Connection> connections, double[] rates) {
        int next = 0;
        for (Connection connection : connections) {
            int active = connection.active();
            double total = 0;
            for (int s = next; s < next + active; s++) {
                total += rates[s];
            }
            for (int s = next; s < next + active; s++) {
                weights[s] = connection.arrival.weight() * (total > 0 ? Math.max(LEAST_WEIGHT, rates[s] / total) : 1.0 / active);
            }
            next += active;
        }
    }

    /** Lists the subflows with their arcs, and the arcs with their subflows. */
    private void lay(Collection<Connection> connections) {
        Arrays.fill(start, 0);
        subflows = 0;
        int hops = 0;
        for (Connection connection : connections) {
            for (int[] route : connection.routes) {
                if (route == null) {
                    continue;
                }
                if (subflows + 2 > first.length) {
                    first = Arrays.copyOf(first, 2 * first.length);
                    weights = Arrays.copyOf(weights, 2 * first.length);
                }
                if (hops + route.length > arcs.length) {
                    arcs = Arrays.copyOf(arcs, 2 * (hops + route.length));
                }
                for (int arc : route) {
                    arcs[hops++] = arc;
                    start[arc + 1]++;
                }
                first[++subflows] = hops;
            }
        }
        for (int arc = 0; arc < rising.length; arc++) {
            start[arc + 1] += start[arc];
        }
        on = on.length < hops ? new int[2 * hops] : on;
        int[] place = Arrays.copyOf(start, rising.length);
        for (int s = 0; s < subflows; s++) {
            for (int i = first[s]; i < first[s + 1]; i++) {
                on[place[arcs[i]]++] = s;
            }
        }
    }

    private double[] fill(double[] capacity) {
        for (int arc = 0; arc < rising.length; arc++) {
            rising[arc] = start[arc + 1] - start[arc];
            remaining[arc] = capacity[arc];
            weightOn[arc] = 0;
            for (int i = start[arc]; i < start[arc + 1]; i++) {
                weightOn[arc] += weights[on[i]];
            }
            heap.level[arc] = rising[arc] == 0 ? 0 : remaining[arc] / weightOn[arc];
        }
        heap.rebuild(rising);
        double[] rates = new double[subflows];
        boolean[] stopped = new boolean[subflows];
        while (!heap.isEmpty()) {
            int arc = heap.poll();
            for (int i = start[arc]; i < start[arc + 1]; i++) {
                int s = on[i];
                if (!stopped[s]) {
                    stopped[s] = true;
                    rates[s] = heap.level[arc] * weights[s];
                    stop(s, arc, rates[s]);
                }
            }
        }
        return rates;
    }

    /** Takes a subflow off the other arcs of its path: their levels rise. */
    private void stop(int subflow, int full, double rate) {
        for (int i = first[subflow]; i < first[subflow + 1]; i++) {
            int arc = arcs[i];
            if (arc != full) {
                remaining[arc] -= rate;
                weightOn[arc] -= weights[subflow];
                if (--rising[arc] == 0) {
                    heap.remove(arc);
                } else {
                    // Rounding must not lower a level below one that was passed already.
                    heap.change(arc, Math.max(heap.level[full], remaining[arc] / weightOn[arc]));
                }
            }
        }
    }
}
