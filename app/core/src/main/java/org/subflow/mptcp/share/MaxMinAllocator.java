// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

/**
 * Lexicographic max-min fairness over connections: the smallest level (rate ÷ weight) is as large as possible, then the
 * second smallest, and so on. What counts is the total of a connection; among the splits over subflows that give these
 * totals, the one with the least sum of squares is taken, which is unique and as even as the arcs allow.
 *
 * <p>With several subflows per connection, filling up single links is not enough, because a connection can make room by
 * moving to its other paths; the textbook method is one linear program per level. Here, cutting planes:
 * <ol>
 * <li>every choice of arc prices limits the totals: Σ (price of the cheapest subflow)·T ≤ Σ price·capacity. Under a
 * handful of such cuts alone, water-filling is easy ({@link WaterFilling});
 * <li>see whether the totals that it gives can be split over the subflows ({@link MinNormSplit}); if not, prices
 * come back
 * that forbid them: one more cut;
 * <li>repeat until the totals can be split. They are max-min fair under fewer limits than there are, and they are
 * feasible: so they are max-min fair, and the cuts that stopped each connection are the certificate.
 * </ol>
 * At first levels are raised in steps, so that most cuts found are those of the answer; the active set of the split
 * is kept all the way. For n full arcs, O(n² + size of A) per active-set step; on fat trees there are fewer steps
 * than arcs
 * times a small number.
 *
 * <p>Exactness: nobody is more than 10⁻⁷ below what the cuts allow, and hardly ever 10⁻⁹; {@link Allocation#epsilon}
 * says what was
 * reached. An arc with less than 10⁻¹² of the largest capacity counts as having none.
 *
 * <p>Reference: D. Bertsekas, R. Gallager, Data Networks, section 6.5, for max-min fairness and bottlenecks; the
 * cutting planes are those of J. F. Benders (1962).
 */
public final class MaxMinAllocator implements Allocator {
    /** The name by which users choose it. */
    public static final String NAME = "max-min";

    private static final double MOST_DEVIATION = 1e-6;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Allocation allocate(SharingProblem problem) {
        return allocation(problem, fromScratch(Rows.of(problem)));
    }

    private static MaxMinSolver fromScratch(Rows rows) {
        MaxMinSolver solver = new MaxMinSolver(rows);
        solver.solve();
        return solver;
    }

    /**
     * Takes an answer only if its certificate holds; if rounding has got the better of it, the cuts found so far are a
     * fresh start, and the better of the two answers counts.
     */
    private static Allocation allocation(SharingProblem problem, MaxMinSolver solver) {
        Allocation answer = solver.allocation(NAME);
        double deviation = Optimality.maxMinDeviation(problem, answer);
        if (deviation <= MOST_DEVIATION) {
            return answer;
        }
        Allocation again = MaxMinSolver.solveAfter(solver, solver.rows()).allocation(NAME);
        return Optimality.maxMinDeviation(problem, again) < deviation ? again : answer;
    }

    @Override
    public AllocationSession session() {
        return new Session();
    }

    private static boolean deviates(SharingProblem problem, MaxMinSolver solver) {
        return Optimality.maxMinDeviation(problem, solver.allocation(NAME)) > MOST_DEVIATION;
    }

    /** Keeps the cuts and the active set of the last version; the next one mostly needs few steps from there. */
    private static final class Session implements AllocationSession {
        private MaxMinSolver last;

        @Override
        public Allocation allocate(SharingProblem problem) {
            Rows rows = Rows.of(problem);
            MaxMinSolver before = last;
            last = null;
            MaxMinSolver solver = null;
            if (before != null && before.reusable() && Match.possible(before.rows(), rows)) {
                solver = MaxMinSolver.solveAfter(before, rows);
            }
            if (solver == null || !solver.reusable() || deviates(problem, solver)) {
                solver = fromScratch(rows);
            }
            last = solver;
            return allocation(problem, solver);
        }
    }
}
