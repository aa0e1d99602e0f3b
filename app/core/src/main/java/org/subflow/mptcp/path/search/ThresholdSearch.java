// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

/**
 * Binary search over the bandwidths of a graph's arcs without sorting them: tries a middle one and keeps those above or below
 * it. O(arcs) on average, besides the trials. Belongs to one {@link Workspace}.
 */
final class ThresholdSearch {
    private double[] candidates = {};
    private int count;

    /** Starts with the open arcs' bandwidths strictly between two, in bit/s. */
    void begin(PrunedGraph view, double above, double below) {
        double[] residual = view.residual;
        int arcs = view.graph.arcCount();
        if (candidates.length < arcs) {
            candidates = new double[arcs];
        }
        count = 0;
        for (int arc = 0; arc < arcs; arc++) {
            if (residual[arc] > above && residual[arc] < below && !view.isClosedLink(arc >> 1)) {
                candidates[count++] = residual[arc];
            }
        }
    }

    /** Says whether a bandwidth remains to be tried. */
    boolean hasNext() {
        return count > 0;
    }

    /** Returns a bandwidth near the median of the remaining ones, in bit/s. */
    double next() {
        double a = candidates[0];
        double b = candidates[count >> 1];
        double c = candidates[count - 1];
        return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    }

    /** Keeps the bandwidths above one. */
    void raise(double above) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (candidates[i] > above) {
                candidates[kept++] = candidates[i];
            }
        }
        count = kept;
    }

    /** Keeps the bandwidths below one. */
    void lower(double below) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (candidates[i] < below) {
                candidates[kept++] = candidates[i];
            }
        }
        count = kept;
    }
}
