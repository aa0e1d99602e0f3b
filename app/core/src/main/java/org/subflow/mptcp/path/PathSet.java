// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/**
 * The answer of a strategy: paths in the order in which subflows take them, and their kind of disjointness.
 *
 * <p>Under {@link Disjointness#NONE} a path may come more than once: that many subflows then share it. Immutable.
 */
public final class PathSet implements Iterable<Path> {
    private final List<Path> paths;
    private final Disjointness disjointness;

    /**
     * Makes an answer.
     *
     * @param paths        the paths, the first subflow's first; empty if there is none
     * @param disjointness their kind of disjointness
     */
    public PathSet(List<Path> paths, Disjointness disjointness) {
        this.paths = List.copyOf(paths);
        this.disjointness = Objects.requireNonNull(disjointness, "disjointness");
    }

    /** Returns the paths in the order in which subflows take them. */
    public List<Path> paths() {
        return paths;
    }

    /** Returns the kind of disjointness: of the paths from each other, and from the request's used paths. */
    public Disjointness disjointness() {
        return disjointness;
    }

    /** Returns the number of paths. */
    public int size() {
        return paths.size();
    }

    /** Says whether there is no path. */
    public boolean isEmpty() {
        return paths.isEmpty();
    }

    /** Returns the path at a place, from 0. */
    public Path get(int index) {
        return paths.get(index);
    }

    /** Returns the smallest residual bottleneck of the paths in bit/s; infinite if there is no path. */
    public double minResidual() {
        double min = Double.POSITIVE_INFINITY;
        for (Path path : paths) {
            min = Math.min(min, path.residual());
        }
        return min;
    }

    /** Returns the sum of the paths' residual bottlenecks in bit/s. */
    public double sumResidual() {
        double sum = 0;
        for (Path path : paths) {
            sum += path.residual();
        }
        return sum;
    }

    /** Returns the hops of all paths together. */
    public int hops() {
        int hops = 0;
        for (Path path : paths) {
            hops += path.hops();
        }
        return hops;
    }

    @Override
    public Iterator<Path> iterator() {
        return paths.iterator();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathSet && paths.equals(((PathSet) other).paths)
                && disjointness == ((PathSet) other).disjointness;
    }

    @Override
    public int hashCode() {
        return paths.hashCode();
    }

    @Override
    public String toString() {
        return disjointness + "-disjoint " + paths;
    }
}
