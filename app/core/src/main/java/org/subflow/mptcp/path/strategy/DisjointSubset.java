// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.search.PrunedGraph;

/**
 * Phase two of {@link KMaxMin}: chooses disjoint paths among candidates, greedily from each candidate in turn. Belongs to one
 * {@code Workspace}.
 */
final class DisjointSubset {
    private CandidatePaths candidates;
    private PrunedGraph view;

    /** The candidates' records, the widest first. */
    private int[] sorted = new int[64];
    private int count;
    /** The table T_disj, a row of bits for each candidate. */
    private long[] disjoint = {};
    private int rowLength;

    private int[] linkMark = {};
    private int[] nodeMark = {};
    private int epoch;

    private long[] compatible = {};
    private int[] chosen = {};
    private int[] best = {};
    private int[] arcs = {};

    /** Lists the candidates that end at the view's targets, and computes which pairs are disjoint. */
    void collect(CandidatePaths from, PrunedGraph in, boolean nodeDisjoint) {
        candidates = from;
        view = in;
        count = 0;
        for (int i = 0; i < view.endCount(); i++) {
            for (int path = from.first(view.end(i)); path >= 0; path = from.next(path)) {
                insert(path);
            }
        }
        fit();
        for (int i = 0; i < count; i++) {
            mark(sorted[i]);
            for (int j = 0; j < count; j++) {
                if (!meetsMark(sorted[j], nodeDisjoint)) {
                    disjoint[i * rowLength + (j >> 6)] |= 1L << j;
                }
            }
        }
    }

    private void insert(int path) {
        if (count == sorted.length) {
            sorted = Arrays.copyOf(sorted, 2 * count);
        }
        int place = count++;
        while (place > 0 && candidates.width(sorted[place - 1]) < candidates.width(path)) {
            sorted[place] = sorted[place - 1];
            place--;
        }
        sorted[place] = path;
    }

    private void fit() {
        rowLength = (count + 63) >> 6;
        if (disjoint.length < count * rowLength) {
            disjoint = new long[count * rowLength];
            compatible = new long[rowLength];
            chosen = new int[count];
            best = new int[count];
        }
        Arrays.fill(disjoint, 0, count * rowLength, 0);
        if (linkMark.length < view.graph().linkCount() || nodeMark.length < view.graph().nodeCount()) {
            linkMark = new int[view.graph().linkCount()];
            nodeMark = new int[view.graph().nodeCount()];
            arcs = new int[view.graph().nodeCount()];
            epoch = 0;
        }
    }

    private void mark(int path) {
        if (++epoch == 0) {
            Arrays.fill(linkMark, 0);
            Arrays.fill(nodeMark, 0);
            epoch = 1;
        }
        for (int p = path; candidates.lastArc(p) >= 0; p = candidates.withoutLast(p)) {
            linkMark[candidates.lastArc(p) >> 1] = epoch;
            nodeMark[view.graph().tail(candidates.lastArc(p))] = epoch;
        }
    }

    private boolean meetsMark(int path, boolean nodeDisjoint) {
        for (int p = path; candidates.lastArc(p) >= 0; p = candidates.withoutLast(p)) {
            int arc = candidates.lastArc(p);
            boolean startsHere = candidates.lastArc(candidates.withoutLast(p)) < 0;
            if (linkMark[arc >> 1] == epoch
                    || nodeDisjoint && !startsHere && nodeMark[view.graph().tail(arc)] == epoch) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is no candidate. */
    boolean isEmpty() {
        return count == 0;
    }

    /** Adds the best set of at most so many candidates to a list, the one it started with first. */
    void select(int k, List<Path> paths) {
        int bestSize = 0;
        double bestMin = 0;
        double bestSum = 0;
        for (int i = 0; i < count; i++) {
            int size = grow(i, k);
            double min = Double.POSITIVE_INFINITY;
            double sum = 0;
            for (int j = 0; j < size; j++) {
                min = Math.min(min, candidates.width(sorted[chosen[j]]));
                sum += candidates.width(sorted[chosen[j]]);
            }
            if (size > bestSize || size == bestSize && (min > bestMin || min == bestMin && sum > bestSum)) {
                bestSize = size;
                bestMin = min;
                bestSum = sum;
                System.arraycopy(chosen, 0, best, 0, size);
            }
        }
        for (int j = 0; j < bestSize; j++) {
            paths.add(path(sorted[best[j]]));
        }
    }

    /** Returns the set of at most so many paths that starts with a candidate: the result of one iteration. */
    List<Path> startingWith(int first, int k) {
        List<Path> paths = new ArrayList<>();
        int size = grow(first, k);
        for (int j = 0; j < size; j++) {
            paths.add(path(sorted[chosen[j]]));
        }
        return paths;
    }

    /** Starts a set with a candidate and adds the first ones that are disjoint from all in it; returns its size. */
    private int grow(int first, int k) {
        chosen[0] = first;
        int size = 1;
        System.arraycopy(disjoint, first * rowLength, compatible, 0, rowLength);
        for (int word = 0; word < rowLength && size < k;) {
            if (compatible[word] == 0) {
                word++;
                continue;
            }
            int next = (word << 6) + Long.numberOfTrailingZeros(compatible[word]);
            chosen[size++] = next;
            // A path is not disjoint from itself, so this also moves on.
            for (int w = word; w < rowLength; w++) {
                compatible[w] &= disjoint[next * rowLength + w];
            }
        }
        return size;
    }

    private Path path(int record) {
        int length = 0;
        for (int p = record; candidates.lastArc(p) >= 0; p = candidates.withoutLast(p)) {
            length++;
        }
        int i = length;
        for (int p = record; candidates.lastArc(p) >= 0; p = candidates.withoutLast(p)) {
            arcs[--i] = candidates.lastArc(p);
        }
        return view.path(arcs, length);
    }
}
