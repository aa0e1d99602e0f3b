// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A question to a {@link PathStrategy}: which paths should the subflows of a connection take?
 *
 * <p>Immutable but for the residual array, which is not copied: do not write to it while the request is in use.
 */
public final class PathRequest {
    private final Graph graph;
    private final int[] sources;
    private final int[] targets;
    private final int k;
    private final double[] residual;
    private final List<Path> used;
    private final Disjointness disjointness;
    private final int m;
    private final boolean exact;
    private final Preference preference;
    private final long flowKey;
    private final long seed;
    private final List<Competitor> competitors;
    private final PathLimits limits;

    private PathRequest(Builder builder) {
        this.graph = builder.graph;
        this.sources = builder.sources;
        this.targets = builder.targets;
        this.k = builder.k;
        this.residual = builder.residual == null ? graph.capacities : builder.residual;
        this.used = builder.used;
        this.disjointness = builder.disjointness;
        this.m = builder.m;
        this.exact = builder.exact;
        this.preference = builder.preference;
        this.flowKey = builder.flowKey;
        this.seed = builder.seed;
        this.competitors = builder.competitors;
        this.limits = builder.limits;
    }

    /**
     * Starts a request.
     *
     * @param graph the network
     * @return a builder that still needs sources and targets
     */
    public static Builder on(Graph graph) {
        return new Builder(graph);
    }

    /** Returns the network. */
    public Graph graph() {
        return graph;
    }

    /** Returns the nodes where a path may start: a copy. */
    public int[] sources() {
        return sources.clone();
    }

    /** Returns the nodes where a path may end: a copy. */
    public int[] targets() {
        return targets.clone();
    }

    /** Returns the number of paths asked for. */
    public int k() {
        return k;
    }

    /** Returns the residual bandwidth of an arc in bit/s. */
    public double residual(int arc) {
        return residual[arc];
    }

    /** Returns the residual bandwidth of all arcs in bit/s, indexed by arc: not a copy, do not write to it. */
    public double[] residuals() {
        return residual;
    }

    /** Returns the paths of living siblings. */
    public List<Path> used() {
        return used;
    }

    /** Returns the kind of disjointness asked for; empty leaves it to the strategy. */
    public Optional<Disjointness> disjointness() {
        return Optional.ofNullable(disjointness);
    }

    /** Returns the paths kept per parent and node in {@code k-max-min}; empty leaves it to the strategy. */
    public OptionalInt m() {
        return m == 0 ? OptionalInt.empty() : OptionalInt.of(m);
    }

    /** Says whether the request asks for as many paths as exist, instead of a greedy search. */
    public boolean exact() {
        return exact;
    }

    /** Returns what to prefer; empty leaves it to the strategy. */
    public Optional<Preference> preference() {
        return Optional.ofNullable(preference);
    }

    /** Returns the hash key of the flow's five-tuple, for {@code ecmp}. */
    public long flowKey() {
        return flowKey;
    }

    /** Returns the seed of random draws and hashes. */
    public long seed() {
        return seed;
    }

    /** Returns the limits to the paths' delays. */
    public PathLimits limits() {
        return limits;
    }

    /** Returns the other connections. */
    public List<Competitor> competitors() {
        return competitors;
    }

    /** Returns whether a path may end at a node. */
    public boolean isTarget(int node) {
        return contains(targets, node);
    }

    private static boolean contains(int[] nodes, int node) {
        for (int other : nodes) {
            if (other == node) {
                return true;
            }
        }
        return false;
    }

    /** Collects a request. Not safe for use by several threads at once. */
    public static final class Builder {
        private final Graph graph;
        private int[] sources = {};
        private int[] targets = {};
        private int k = 1;
        private double[] residual;
        private List<Path> used = List.of();
        private Disjointness disjointness;
        private int m;
        private boolean exact;
        private Preference preference;
        private long flowKey;
        private long seed;
        private List<Competitor> competitors = List.of();
        private PathLimits limits = PathLimits.NONE;

        private Builder(Graph graph) {
            this.graph = Objects.requireNonNull(graph, "graph");
        }

        /** Sets where paths may start: the client's switch, or several switches if it has several attachment points. */
        public Builder from(int... nodes) {
            this.sources = nodes.clone();
            return this;
        }

        /** Sets where paths may end: the server's switch, or several switches if it has several attachment points. */
        public Builder to(int... nodes) {
            this.targets = nodes.clone();
            return this;
        }

        /** Sets the number of paths asked for, at least 1; the default is 1. */
        public Builder k(int count) {
            this.k = count;
            return this;
        }

        /**
         * Sets the residual bandwidth of each arc; the default is the capacity.
         *
         * @param bitPerSecond residual bandwidth in bit/s, indexed by arc, each 0 or more; an arc with 0 is not used.
         *                     Not copied; {@code null} for the default
         */
        public Builder residual(double[] bitPerSecond) {
            this.residual = bitPerSecond;
            return this;
        }

        /**
         * Sets the paths of living siblings. The answer's paths are disjoint from them in the same way as from each other.
         * Strategies without disjointness ignore them, except {@code resource-pool}: it does not return a sibling's path
         * again.
         */
        public Builder used(List<Path> paths) {
            this.used = List.copyOf(paths);
            return this;
        }

        /** Sets the kind of disjointness; {@code null}, the default, leaves it to the strategy. */
        public Builder disjointness(Disjointness kind) {
            this.disjointness = kind;
            return this;
        }

        /** Sets the paths kept per parent and node in {@code k-max-min}, at least 1; the default is 7. */
        public Builder m(int paths) {
            if (paths < 1) {
                throw new IllegalArgumentException("m must be at least 1, not " + paths);
            }
            this.m = paths;
            return this;
        }

        /** Asks {@code link-disjoint} and {@code node-disjoint} for as many paths as exist. */
        public Builder exact(boolean asked) {
            this.exact = asked;
            return this;
        }

        /** Sets what {@code widest-disjoint} prefers; {@code null}, the default, is rate. */
        public Builder prefer(Preference asked) {
            this.preference = asked;
            return this;
        }

        /** Sets the hash key of the flow's five-tuple, for {@code ecmp}; the default is 0. */
        public Builder flowKey(long key) {
            this.flowKey = key;
            return this;
        }

        /** Sets the seed of random draws and hashes; the default is 0. */
        public Builder seed(long value) {
            this.seed = value;
            return this;
        }

        /**
         * Sets the other connections. {@code resource-pool} adds paths up to their mean throughput. The default is none.
         */
        public Builder competitors(List<Competitor> connections) {
            this.competitors = List.copyOf(connections);
            return this;
        }

        /**
         * Sets limits to the paths' delays; the default is none. The siblings' paths count for the spread. Every strategy keeps
         * them. With a limit its answer may have fewer paths.
         */
        public Builder limits(PathLimits delays) {
            this.limits = Objects.requireNonNull(delays, "limits");
            return this;
        }

        /** Drops the options and the kind of disjointness that a strategy does not have. */
        public Builder keepWhatIsOf(PathStrategy strategy) {
            this.disjointness = disjointness != null && strategy.disjointness().contains(disjointness) ? disjointness : null;
            this.m = strategy.options().contains(PathOption.M) ? m : 0;
            this.exact &= strategy.options().contains(PathOption.EXACT);
            this.preference = strategy.options().contains(PathOption.PREFER) ? preference : null;
            return this;
        }

        /**
         * Returns the request.
         *
         * @throws IllegalArgumentException if there is no source or no target; if one is unknown, or is both at once; if
         *                                  {@code k} is below 1, or a residual is negative or not a number; or if a used or
         *                                  competitor's path does not lie on the graph
         */
        public PathRequest build() {
            checkTerminals("source", sources);
            checkTerminals("target", targets);
            for (int source : sources) {
                if (contains(targets, source)) {
                    throw new IllegalArgumentException("node " + source + " is both source and target; "
                            + "two hosts at the same node need no path");
                }
            }
            if (k < 1) {
                throw new IllegalArgumentException("k must be at least 1, not " + k);
            }
            checkResidual();
            used.forEach(path -> checkOnGraph("used", path));
            competitors.forEach(other -> other.paths().forEach(path -> checkOnGraph("competitor's", path)));
            return new PathRequest(this);
        }

        private void checkTerminals(String role, int[] nodes) {
            if (nodes.length == 0) {
                throw new IllegalArgumentException("the request names no " + role);
            }
            for (int node : nodes) {
                if (node < 0 || node >= graph.nodeCount()) {
                    throw new IllegalArgumentException("no " + role + " node " + node + "; the nodes are 0 to "
                            + (graph.nodeCount() - 1));
                }
            }
        }

        private void checkResidual() {
            if (residual == null) {
                return;
            }
            if (residual.length != graph.arcCount()) {
                throw new IllegalArgumentException("the residual has " + residual.length + " values for "
                        + graph.arcCount() + " arcs");
            }
            for (int arc = 0; arc < residual.length; arc++) {
                if (!(residual[arc] >= 0)) {
                    throw new IllegalArgumentException("the residual of arc " + arc + " from node " + graph.tail(arc)
                            + " to node " + graph.head(arc) + " is " + residual[arc] + "; it must be 0 or more bit/s");
                }
            }
        }

        private void checkOnGraph(String whose, Path path) {
            for (int i = 0; i < path.hops(); i++) {
                int arc = path.arc(i);
                if (arc >= graph.arcCount() || graph.tail(arc) != path.node(i) || graph.head(arc) != path.node(i + 1)) {
                    throw new IllegalArgumentException(whose + " path " + path + " does not lie on the graph: arc " + arc
                            + " does not lead from node " + path.node(i) + " to node " + path.node(i + 1));
                }
            }
        }
    }
}
