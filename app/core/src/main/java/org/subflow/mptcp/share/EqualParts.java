// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

/**
 * An allocation for sizes that no solver can handle: each subflow gets an equal part of its narrowest arc. Always feasible,
 * for any finite capacities and weights. O(size of the problem).
 */
final class EqualParts {
    private EqualParts() {
    }

    /** Returns the allocation; its {@link Allocation#epsilon} is against each connection being alone in the network. */
    static Allocation of(SharingProblem problem, String allocator) {
        double[] rates = new double[problem.subflowCount()];
        int[] users = users(problem);
        double heaviest = 0;
        for (int c = 0; c < problem.connectionCount(); c++) {
            heaviest = Math.max(heaviest, problem.weight(c));
        }
        double gap = 0;
        double weights = 0;
        for (int c = 0; c < problem.connectionCount(); c++) {
            double alone = 0;
            double total = 0;
            int subflows = problem.firstSubflow(c + 1) - problem.firstSubflow(c);
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                double narrowest = problem.cap(c);
                rates[s] = problem.cap(c) / subflows;
                for (int h = 0; h < problem.hops(s); h++) {
                    double capacity = problem.capacity(problem.arc(s, h));
                    narrowest = Math.min(narrowest, capacity);
                    rates[s] = Math.min(rates[s], capacity / users[problem.arc(s, h)]);
                }
                alone += narrowest;
                total += rates[s];
            }
            if (alone > 0) {
                double weight = problem.weight(c) / heaviest;
                gap += weight * Math.max(0, log(Math.min(alone, problem.cap(c))) - log(total));
                weights += weight;
            }
        }
        return Allocation.proportional(allocator, problem, rates, weights > 0 ? gap / weights : 0, ArcPrices.NONE);
    }

    /** Returns a logarithm that is finite for all values from 0 to infinity. */
    private static double log(double value) {
        return Math.log(Math.max(Double.MIN_VALUE, Math.min(value, Double.MAX_VALUE)));
    }

    private static int[] users(SharingProblem problem) {
        int[] users = new int[problem.arcCount()];
        for (int s = 0; s < problem.subflowCount(); s++) {
            for (int h = 0; h < problem.hops(s); h++) {
                users[problem.arc(s, h)]++;
            }
        }
        return users;
    }
}
