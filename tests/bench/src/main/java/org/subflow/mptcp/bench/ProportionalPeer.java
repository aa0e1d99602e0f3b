// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import org.subflow.mptcp.share.SharingProblem;

/** A library that answers questions of proportional fairness, max Σ log(rate in Mbit/s), less exactly than ours. */
interface ProportionalPeer extends AutoCloseable {
    /** The libraries. */
    enum Library {
        /** Clarabel, an interior-point method for cones; needs what {@code ./lab bench} installs. */
        CLARABEL,
        /** Linear programs for GLOP, in this Java machine. */
        GLOP;

        ProportionalPeer start() {
            return this == CLARABEL ? ConicProgram.start() : new LpTangents.Peer();
        }
    }

    /**
     * A solution and its upper bound.
     *
     * @param reached   Σ log(rate) of the last solution, made feasible
     * @param limit     upper bound on that sum for all feasible rates
     * @param exactness how far the bound may be off, as a mean over the connections
     */
    record Answer(double reached, double limit, double exactness) {
    }

    /** Takes a problem. They are numbered from 0. */
    void add(SharingProblem problem);

    /** Solves a problem from scratch; returns the upper bound. */
    double solve(int number);

    /** Returns what the last call of {@link #solve} has found. */
    Answer answer();

    @Override
    void close();
}
