// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The connections of a problem in sets that share no arc with one another, so that a change in one set leaves the others
 * as they are: S-MPTCP's "joint" connections (section 3.2), directly or indirectly.
 *
 * <p>Sets are numbered by their first connection. Immutable; O(size of the problem) to make.
 */
public final class IndependentSets {
    private final SharingProblem problem;
    private final int[] setOf;
    private final int[] setOfArc;
    private final int count;
    private final int[] firstMember;
    private final int[] members;

    private IndependentSets(SharingProblem problem, int[] setOf, int[] setOfArc, int count) {
        this.problem = problem;
        this.setOf = setOf;
        this.setOfArc = setOfArc;
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
        int[] setOfArc = new int[firstOn.length];
        Arrays.setAll(setOfArc, a -> firstOn[a] < 0 ? -1 : setOf[firstOn[a]]);
        return new IndependentSets(problem, setOf, setOfArc, count);
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

    /** Returns the set of a connection. */
    public int setOf(int connection) {
        return setOf[connection];
    }

    /**
     * Returns the sets that use one of the given arcs.
     *
     * @param arcs arcs, for instance those of a route that comes or goes, or whose capacity changed; not null
     * @return their sets, in ascending order
     */
    public int[] touching(int... arcs) {
        BitSet sets = new BitSet(count);
        for (int arc : arcs) {
            if (setOfArc[arc] >= 0) {
                sets.set(setOfArc[arc]);
            }
        }
        return sets.stream().toArray();
    }

    /** Returns the connections of a set, in ascending order. */
    public int[] connections(int set) {
        return Arrays.copyOfRange(members, firstMember[set], firstMember[set + 1]);
    }

    /** Returns the problem of one set alone: the same arcs, and its {@link #connections} in that order. */
    public SharingProblem problem(int set) {
        double[] capacities = new double[problem.arcCount()];
        Arrays.setAll(capacities, problem::capacity);
        SharingProblem.Builder builder = SharingProblem.builder(capacities);
        for (int c : connections(set)) {
            builder.connection(problem.weight(c), problem.cap(c));
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                builder.subflow(problem.subflowCap(s), problem.route(s));
            }
        }
        return builder.build();
    }

    /**
     * Writes the rates found for one set into those of the whole problem.
     *
     * @param set        the set
     * @param allocation the answer to its {@link #problem}, not null
     * @param rates      rate of every subflow of the whole problem in bit/s; those of the set's subflows are overwritten
     */
    public void spread(int set, Allocation allocation, double[] rates) {
        int next = 0;
        for (int c : connections(set)) {
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                rates[s] = allocation.rate(next++);
            }
        }
    }
}
