// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * The connections of a problem in sets that share no arc with one another, so that a change in one set leaves the others
 * as they are: S-MPTCP's "joint" connections (section 3.2), directly or indirectly.
 *
 * <p>Sets are numbered by their first connection. Immutable; O(size of the problem) to make.
 */
public final class IndependentSets {
    private final int count;
    private final int[] firstMember;
    private final int[] members;

    private IndependentSets(int[] setOf, int count) {
        this.count = count;
        firstMember = new int[count + 1];
        for (int set : setOf) {
            firstMember[set + 1]++;
        }
        for (int set = 0; set < count; set++) {
            firstMember[set + 1] += firstMember[set];
        }
        members = new int[setOf.length];
        int[] next = firstMember.clone();
        for (int c = 0; c < setOf.length; c++) {
            members[next[setOf[c]]++] = c;
        }
    }

    /** Finds the sets of a problem. */
    public static IndependentSets of(SharingProblem problem) {
        int connections = problem.connectionCount();
        int[] parent = new int[connections];
        Arrays.setAll(parent, c -> c);
        int[] firstOn = new int[problem.arcCount()];
        Arrays.fill(firstOn, -1);
        for (int c = 0; c < connections; c++) {
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                for (int h = 0; h < problem.hops(s); h++) {
                    int arc = problem.arc(s, h);
                    if (firstOn[arc] < 0) {
                        firstOn[arc] = c;
                    } else {
                        join(parent, c, firstOn[arc]);
                    }
                }
            }
        }
        int[] setOf = new int[connections];
        int count = 0;
        for (int c = 0; c < connections; c++) {
            int root = root(parent, c);
            setOf[c] = root == c ? count++ : setOf[root];
        }
        return new IndependentSets(setOf, count);
    }

    /** Puts both under the smaller root, so that a root is the first connection of its set. */
    private static void join(int[] parent, int c, int other) {
        int a = root(parent, c);
        int b = root(parent, other);
        parent[Math.max(a, b)] = Math.min(a, b);
    }

    private static int root(int[] parent, int c) {
        int at = c;
        while (parent[at] != at) {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        return at;
    }

    /** Returns the number of sets. */
    public int count() {
        return count;
    }

    /** Returns the connections of a set, in ascending order. */
    public int[] connections(int set) {
        return Arrays.copyOfRange(members, firstMember[set], firstMember[set + 1]);
    }
}
