// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * What of one version of a problem is there again in the next: connections with the same routes, in the same order, and
 * rows.
 *
 * <p>O(size of both) if connections are appended and left out but not reordered.
 */
final class Match {
    /** For each connection of the new version the old one that it was, or −1. */
    final int[] oldConnection;
    /** For each connection of the old version whether it is still there. */
    final boolean[] stays;
    /** For each subflow of the old version the new one that it became, or −1. */
    final int[] newSubflow;
    /** For each row of the old version the new one that it became, or −1. */
    final int[] newRow;
    int found;

    private final Rows before;
    private final Rows after;

    Match(Rows before, Rows after) {
        this.before = before;
        this.after = after;
        oldConnection = new int[after.connections()];
        stays = new boolean[before.connections()];
        newSubflow = new int[before.subflows()];
        newRow = new int[before.rows()];
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
        matchRows();
    }

    /** Tells whether the rows that are in both have the same limits. */
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
            int s = after.subflowInProblem[after.first[c] + k];
            int t = before.subflowInProblem[before.first[old] + k];
            same = after.problem.sameRoute(s, before.problem, t);
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

    private void matchRows() {
        int[] rowOf = new int[Math.max(after.problem.arcCount(), before.problem.arcCount())];
        Arrays.fill(rowOf, -1);
        for (int r = 0; r < after.rows(); r++) {
            rowOf[after.arc[r]] = r;
        }
        for (int r = 0; r < newRow.length; r++) {
            newRow[r] = rowOf[before.arc[r]];
        }
    }
}
