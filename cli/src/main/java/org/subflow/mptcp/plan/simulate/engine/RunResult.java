// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.Arrays;
import java.util.List;

/** What happened in one run. Written by its {@link Simulation}; not changed afterwards. */
public final class RunResult {
    /** In {@link #paths}: nothing joined the ends when the connection began. */
    public static final int BLOCKED = -1;

    /** Seconds from the begin to the end of each connection, by its number; not a number if it has not ended. */
    public final double[] completion;
    /** On how many paths each connection was at its end or last; 0 if it has not begun. {@link #BLOCKED} if it could not. */
    public final int[] paths;
    /** Bits on the wire that each arc has carried. */
    public final double[] carried;
    /** The moments at which rates were compared. */
    public List<Snapshot> snapshots = List.of();
    /** When the last event was, in seconds. */
    public double end;
    /** Mean over time of the number of connections alive, and the most. */
    public double meanAlive;
    public int mostAlive;
    /** Mean over the time with two connections or more of Jain's index of their rates; not a number if there was none. */
    public double fairness = Double.NaN;
    /** How many living subflows got another path: after a failure, and for a better one. */
    public int moves;
    /** How many rules were written for paths: two for each switch on a path. */
    public long rules;
    /** How often shares were computed. */
    public int computations;
    /** Whether it was stopped before its end. */
    public boolean interrupted;

    RunResult(int connections, int arcs) {
        completion = new double[connections];
        Arrays.fill(completion, Double.NaN);
        paths = new int[connections];
        carried = new double[arcs];
    }
}
