// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * Finds the connections, subflows and rows of one version of a problem in the next version. Two connections match if their
 * subflows have the same routes in the same order; matches keep the order of connections.
 *
 * <p>O(size of both versions) if connections are appended and removed but not reordered.
 */
final class VersionMatch {
    /** For each connection of the new version the connection in the old version, or −1. */
    final int[] oldConnection;
    /** For each connection of the old version whether it is in the new version. */
    final boolean[] stays;
    /** For each subflow of the old version the subflow in the new version, or −1. */
    final int[] newSubflow;
    /** For each row of the old version the row in the new version, or −1. */
    final int[] newRow;
    /** Number of connections that are in both versions. */
    int found;

    private final ScaledProblem before;
    private final ScaledProblem after;

    VersionMatch(ScaledProblem before, ScaledProblem after) {
        this.before = before;
        this.after = after;
        oldConnection = new int[after.connections()];
        stays = new boolean[before.connections()];
        newSubflow = new int[before.subflows()];
        newRow = rows(before, after);
        Arrays.fill(newSubflow, -1);
        int next = 0;
        for (int c = 0; c < oldConnection.length; c++) {
            int old = next;
            while (old < stays.length && !sameRoutes(old, c)) {
                old++;
            }
            oldConnection[c] = old < stays.length ? old : -1;
            if (old < stays.length) {
                accept(old, c);
                next = old + 1;
            }
        }
    }

    /** Tells whether the rows that are in both versions have the same limits. */
    boolean sameLimits() {
        boolean same = before.scale == after.scale;
        for (int r = 0; r < newRow.length; r++) {
            same &= newRow[r] < 0 || before.limit[r] == after.limit[newRow[r]];
        }
        return same;
    }

    private boolean sameRoutes(int old, int c) {
        int count = before.first[old + 1] - before.first[old];
        boolean same = count == after.first[c + 1] - after.first[c];
        for (int k = 0; same && k < count; k++) {
            same = after.sameRoute(after.first[c] + k, before, before.first[old] + k);
        }
        return same;
    }

    private void accept(int old, int c) {
        found++;
        stays[old] = true;
        for (int k = 0; k < after.first[c + 1] - after.first[c]; k++) {
            newSubflow[before.first[old] + k] = after.first[c] + k;
        }
    }

    /** Returns for each row of the old version the row in the new version, or −1. */
    static int[] rows(ScaledProblem before, ScaledProblem after) {
        int arcs = Math.max(Arrays.stream(before.arc).max().orElse(0), Arrays.stream(after.arc).max().orElse(0)) + 1;
        int[] rowOf = after.rowOfArc(arcs);
        return Arrays.stream(before.arc).map(arc -> rowOf[arc]).toArray();
    }
}
