// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.stream.IntStream;

/**
 * How much of a benchmark is measured.
 *
 * @param machines   number of Java machines for each side, one after the other
 * @param iterations number of measured iterations in each
 * @param seeds      number of networks, or sets of connections, in all machines together
 * @param isDivided  whether each machine has a part of the seeds; otherwise each has all
 */
record Effort(int machines, int iterations, int seeds, boolean isDivided) {
    /** Where an operation takes milliseconds at most. */
    static final Effort FAST = new Effort(3, 3, 10, false);
    /** Where the peer takes seconds: an iteration is one operation of the peer, on one seed. */
    static final Effort SLOW = new Effort(3, 4, 10, true);

    /** Returns the same with more iterations. */
    Effort full() {
        return new Effort(machines, 2 * iterations, seeds, isDivided);
    }

    /** Returns how many seeds each machine has. Two machines may have one in common, so that all have as many. */
    int seedsOfMachine() {
        return isDivided ? (seeds + machines - 1) / machines : seeds;
    }

    /** Returns the first seed of each machine. */
    String[] firstSeeds() {
        return IntStream.range(0, machines)
                .mapToObj(machine -> String.valueOf(1 + machine * (seeds - seedsOfMachine()) / Math.max(1, machines - 1)))
                .toArray(String[]::new);
    }
}
