// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * What of one version of a problem is there again in the next: connections with the same routes, in the same order.
 *
 * <p>O(size of both) if connections are appended and left out but not reordered.
 */
final class Match {
    /** The subflow of the old version that each new one was, or −1. */
    final int[] oldSubflow;
    /** The row of the new version that each old one became, or −1. */
    final int[] newRow;
    /** Which connections of the old version are still there. */
    final boolean[] stays;
    /** Which connections of the new version are new. */
    final boolean[] isNew;

    private final Rows before;
    private final Rows after;

    Match(Rows before, Rows after) {
        this.before = before;
        this.after = after;
        oldSubflow = new int[after.subflows()];
        newRow = new int[before.rows()];
        stays = new boolean[before.connections()];
        isNew = new boolean[after.connections()];
        Arrays.fill(oldSubflow, -1);
        Arrays.fill(newRow, -1);
        for (int a = 0; a < before.problem.arcCount(); a++) {
            newRow[a] = a;
        }
        int next = 0;
        for (int c = 0; c < isNew.length; c++) {
            int old = next;
            while (old < stays.length && !sameRoutes(old, c)) {
                old++;
            }
            isNew[c] = old == stays.length;
            if (!isNew[c]) {
                accept(old, c);
                next = old + 1;
            }
        }
    }

    /** Tells whether the versions can have anything in common. */
    static boolean possible(Rows before, Rows after) {
        return before.problem.arcCount() == after.problem.arcCount();
    }

    private boolean sameRoutes(int old, int c) {
        int count = before.first[old + 1] - before.first[old];
        if (count != after.first[c + 1] - after.first[c]) {
            return false;
        }
        for (int k = 0; k < count; k++) {
            if (!sameRows(before.first[old] + k, after.first[c] + k)) {
                return false;
            }
        }
        return true;
    }

    private boolean sameRows(int old, int s) {
        int length = after.rowStart[s + 1] - after.rowStart[s];
        if (length != before.rowStart[old + 1] - before.rowStart[old]) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            int b = before.row[before.rowStart[old] + i];
            int a = after.row[after.rowStart[s] + i];
            boolean ownCaps = b >= before.problem.arcCount() && a >= after.problem.arcCount();
            if (a != b && !ownCaps) {
                return false;
            }
        }
        return true;
    }

    private void accept(int old, int c) {
        stays[old] = true;
        for (int k = 0; k < after.first[c + 1] - after.first[c]; k++) {
            int s = after.first[c] + k;
            oldSubflow[s] = before.first[old] + k;
            int last = after.rowStart[s + 1] - 1;
            if (last >= after.rowStart[s]) {
                newRow[before.row[before.rowStart[oldSubflow[s] + 1] - 1]] = after.row[last];
            }
        }
    }
}
