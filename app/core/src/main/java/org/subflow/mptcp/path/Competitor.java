// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.List;

/** Another connection, as {@code resource-pool} sees it: its expected throughput and its paths. Immutable. */
public final class Competitor {
    private final double expectedThroughput;
    private final List<Path> paths;

    /**
     * Makes a competitor.
     *
     * @param expectedThroughput of all its subflows together, in bit/s, 0 or more
     * @param paths              its subflows' paths, on the graph of the request
     * @throws IllegalArgumentException if the throughput is negative, infinite or not a number
     */
    public Competitor(double expectedThroughput, List<Path> paths) {
        if (!(expectedThroughput >= 0) || Double.isInfinite(expectedThroughput)) {
            throw new IllegalArgumentException("the expected throughput must be 0 or more bit/s, not "
                    + expectedThroughput);
        }
        this.expectedThroughput = expectedThroughput;
        this.paths = List.copyOf(paths);
    }

    /** Returns the expected throughput of all subflows together, in bit/s. */
    public double expectedThroughput() {
        return expectedThroughput;
    }

    /** Returns the subflows' paths. */
    public List<Path> paths() {
        return paths;
    }
}
