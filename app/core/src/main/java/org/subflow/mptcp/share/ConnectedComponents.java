// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * The connected components of a problem, where two connections are adjacent if they share an arc that may be full. A change in
 * one component leaves the shares in all others as they are. S-MPTCP calls the connections of one component joint (section 3.2).
 *
 * <p>All connections without such an arc are one component: nothing but their caps limits them. Components are numbered by their
 * first connection. Immutable. O(size of the problem).
 */
final class ConnectedComponents {
    private final int count;
    private final int[] firstMember;
    private final int[] members;

    private ConnectedComponents(int[] componentOf, int count) {
        this.count = count;
        firstMember = new int[count + 1];
        for (int component : componentOf) {
            firstMember[component + 1]++;
        }
        for (int component = 0; component < count; component++) {
            firstMember[component + 1] += firstMember[component];
        }
        members = new int[componentOf.length];
        int[] next = firstMember.clone();
        for (int c = 0; c < componentOf.length; c++) {
            members[next[componentOf[c]]++] = c;
        }
    }

    /**
     * Finds the components of a problem.
     *
     * @param redundant the arcs that do not count
     */
    static ConnectedComponents of(SharingProblem problem, boolean[] redundant) {
        int connections = problem.connectionCount();
        int[] parent = new int[connections];
        Arrays.setAll(parent, c -> c);
        int[] firstOn = new int[problem.arcCount()];
        Arrays.fill(firstOn, -1);
        int firstFree = -1;
        for (int c = 0; c < connections; c++) {
            boolean isFree = true;
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                for (int h = 0; h < problem.hops(s); h++) {
                    int arc = problem.arc(s, h);
                    if (!redundant[arc]) {
                        isFree = false;
                        firstOn[arc] = joinFirst(parent, c, firstOn[arc]);
                    }
                }
            }
            if (isFree) {
                firstFree = joinFirst(parent, c, firstFree);
            }
        }
        int[] componentOf = new int[connections];
        int count = 0;
        for (int c = 0; c < connections; c++) {
            int root = root(parent, c);
            componentOf[c] = root == c ? count++ : componentOf[root];
        }
        return new ConnectedComponents(componentOf, count);
    }

    /** Joins a connection with the first one at the same place, if there is one, and returns the first one there. */
    private static int joinFirst(int[] parent, int c, int first) {
        if (first < 0) {
            return c;
        }
        join(parent, c, first);
        return first;
    }

    /** Joins two trees under the smaller root, so that a root is the first connection of its component. */
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

    /** Returns the number of components. */
    int count() {
        return count;
    }

    /** Returns the connections of a component, in ascending order. */
    int[] connections(int component) {
        return Arrays.copyOfRange(members, firstMember[component], firstMember[component + 1]);
    }
}
