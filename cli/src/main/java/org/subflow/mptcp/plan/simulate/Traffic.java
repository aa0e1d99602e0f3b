// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.plan.InputException;
import org.subflow.mptcp.plan.Nearest;
import org.subflow.mptcp.plan.TopologySource;
import org.subflow.mptcp.plan.file.FileDemand;
import org.subflow.mptcp.plan.simulate.engine.Arrival;
import org.subflow.mptcp.plan.simulate.engine.Parameters;

/**
 * Where connections come from: arrivals of a file, a traffic matrix, or pairs that are drawn. The last two arrive as a Poisson
 * process. Arrivals depend on the seed alone, so every strategy gets the same ones (common random numbers). Immutable.
 */
final class Traffic {
    private static final double MOST_SECONDS = 1e9;
    private static final double MOST_BYTES = 1e15;
    private static final double MOST_MBPS = 1e12;
    private static final double HALF = 0.5;
    private static final double LEAST_WEIGHT = 1e-3;
    private static final double MOST_WEIGHT = 1e3;

    private final SizeDistribution sizes;
    private final int connections;
    private final List<Arrival> given;
    private final int[] sources;
    private final int[] targets;
    /** Cumulative weight of each pair; null if all pairs of {@link #sources} are alike. */
    private final double[] cumulative;
    private final double perSecond;
    /** The number of the connection in each row of a file, or of each as it arrives. */
    private final int[] inFile;

    private Traffic(SimulateOptions options, List<Arrival> given, int[] sources, int[] targets, double[] cumulative, double perSecond) {
        this.sizes = options.sizes;
        this.connections = options.connections;
        this.given = given;
        this.sources = sources;
        this.targets = targets;
        this.cumulative = cumulative;
        this.perSecond = perSecond;
        this.inFile = IntStream.range(0, given == null ? connections : given.size()).toArray();
        if (given == null && !(perSecond > 0 && perSecond < Double.POSITIVE_INFINITY)) {
            throw new InputException("there would be " + perSecond + " connections per second: give a larger load, demands or --rate");
        }
    }

    /**
     * Finds the connections that the options ask for.
     *
     * @param options  the options; not null
     * @param topology the network; not null
     * @param demands  of the topology's file; empty if it has none
     * @param isHost   whether each node is a host
     * @throws InputException if a file is wrong, or there are no two ends
     */
    static Traffic of(SimulateOptions options, Topology topology, List<FileDemand> demands, boolean[] isHost) {
        if (options.traffic != null) {
            return given(options, topology);
        }
        if (options.matrix != null) {
            List<FileDemand> inFile = TopologySource.demands(options.matrix);
            return inFile == null ? matrix(options, topology) : matrix(options, topology, options.matrix, inFile);
        }
        return demands.isEmpty() || options.ends != null ? pairs(options, topology, isHost)
                : matrix(options, topology, options.topology, demands);
    }

    private static Csv csv(String option, String file, String... columns) {
        Csv csv = new Csv(option, file);
        if (!csv.has(columns)) {
            throw new InputException(file + ": the first line must name the columns: " + String.join(",", columns));
        }
        if (csv.rows() == 0) {
            throw new InputException(file + ": there is no connection or demand after the first line");
        }
        return csv;
    }

    private static Traffic given(SimulateOptions options, Topology topology) {
        Csv csv = csv("--traffic", options.traffic, "at", "source", "target", "bytes");
        int[] sources = nodes(csv, "source", topology);
        int[] targets = nodes(csv, "target", topology);
        double[] at = new double[csv.rows()];
        Arrays.setAll(at, row -> csv.number(row, "at", 0, MOST_SECONDS));
        int[] order = IntStream.range(0, at.length).boxed().sorted(Comparator.comparingDouble((Integer row) -> at[row]))
                .mapToInt(row -> row).toArray();
        List<Arrival> arrivals = new ArrayList<>();
        for (int row : order) {
            int subflows = csv.has("subflows") ? csv.whole(row, "subflows", 1, SimulateOptions.MOST_SUBFLOWS) : 0;
            double weight = csv.has("weight") ? csv.number(row, "weight", LEAST_WEIGHT, MOST_WEIGHT) : 1;
            arrivals.add(new Arrival(arrivals.size(), at[row], sources[row], targets[row], csv.number(row, "bytes", 1, MOST_BYTES), 0)
                    .with(subflows, weight));
        }
        Traffic traffic = new Traffic(options, arrivals, sources, targets, null, Double.NaN);
        for (int number = 0; number < order.length; number++) {
            traffic.inFile[order[number]] = number;
        }
        return traffic;
    }

    private static Traffic matrix(SimulateOptions options, Topology topology) {
        Csv csv = csv("--matrix", options.matrix, "source", "target", "mbps");
        double[] mbps = new double[csv.rows()];
        Arrays.setAll(mbps, row -> csv.number(row, "mbps", 0, MOST_MBPS));
        return matrix(options, nodes(csv, "source", topology), nodes(csv, "target", topology), mbps);
    }

    private static int[] nodes(Csv csv, String column, Topology topology) {
        int[] nodes = new int[csv.rows()];
        Arrays.setAll(nodes, row -> csv.node(row, column, topology));
        for (int row = 0; row < nodes.length; row++) {
            if (csv.text(row, "source").equals(csv.text(row, "target"))) {
                throw csv.bad(row, csv.text(row, "source") + " sends to itself");
            }
        }
        return nodes;
    }

    private static Traffic matrix(SimulateOptions options, Topology topology, String file, List<FileDemand> demands) {
        if (demands.isEmpty()) {
            throw new InputException(file + ": there is no demand");
        }
        int[] sources = new int[demands.size()];
        int[] targets = new int[sources.length];
        double[] mbps = new double[sources.length];
        for (int i = 0; i < sources.length; i++) {
            FileDemand demand = demands.get(i);
            String what = file + ": demand '" + demand.id + "' ";
            try {
                sources[i] = Nearest.node(topology, demand.source);
                targets[i] = Nearest.node(topology, demand.target);
            } catch (IllegalArgumentException e) {
                throw new InputException(what + "has an end that is missing: " + e.getMessage(), e);
            }
            mbps[i] = demand.mbps;
            if (!(mbps[i] >= 0 && mbps[i] <= MOST_MBPS) || sources[i] == targets[i]) {
                throw new InputException(what + (sources[i] == targets[i] ? "leads from a node to itself"
                        : "is " + mbps[i] + " Mbit/s; it must be 0 or more, and finite"));
            }
        }
        return matrix(options, sources, targets, mbps);
    }

    private static Traffic matrix(SimulateOptions options, int[] sources, int[] targets, double[] mbps) {
        double[] cumulative = mbps.clone();
        Arrays.parallelPrefix(cumulative, Double::sum);
        double bits = cumulative[cumulative.length - 1] * 1e6 * options.load(1);
        return new Traffic(options, null, sources, targets, cumulative, perSecond(options, bits));
    }

    private static Traffic pairs(SimulateOptions options, Topology topology, boolean[] isHost) {
        boolean anyHost = IntStream.range(0, isHost.length).anyMatch(node -> isHost[node]);
        int[] ends = IntStream.range(0, isHost.length)
                .filter(node -> options.ends == null ? !anyHost || isHost[node] : topology.name(node).startsWith(options.ends)).toArray();
        if (ends.length < 2) {
            throw new InputException(options.ends == null ? options.topology + ": there are no two nodes"
                    : "--ends " + options.ends + ": the names of " + (ends.length == 0 ? "no node" : "one node only")
                    + " begin so; pairs need two nodes");
        }
        Graph graph = topology.graph();
        double bits = Arrays.stream(ends).mapToDouble(node -> IntStream.range(0, graph.degree(node))
                .mapToDouble(i -> graph.capacity(graph.arcFrom(node, i))).sum()).sum() * options.load(HALF);
        return new Traffic(options, null, ends, ends, null, perSecond(options, bits));
    }

    private static double perSecond(SimulateOptions options, double bits) {
        double wire = options.sizes.mean() * 8 * Parameters.FRAME_BYTES / options.parameters.payloadBytes;
        return options.rate > 0 ? options.rate : bits / wire;
    }

    /** Returns the numbers of all connections in the order of the file, or in which they arrive. */
    int[] order() {
        return inFile.clone();
    }

    /** Returns how many connections arrive. */
    int size() {
        return given != null ? given.size() : connections;
    }

    /** Returns the connections of a seed, by time. */
    List<Arrival> arrivals(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Arrival> arrivals = new ArrayList<>(size());
        if (given != null) {
            for (Arrival one : given) {
                arrivals.add(one.withFlowKey(random.nextLong()));
            }
            return arrivals;
        }
        double now = 0;
        for (int i = 0; i < connections; i++) {
            now -= Math.log(1 - random.nextDouble()) / perSecond;
            int source;
            int target;
            if (cumulative == null) {
                source = random.nextInt(sources.length);
                target = random.nextInt(sources.length - 1);
                target += target >= source ? 1 : 0;
            } else {
                source = target = pick(random.nextDouble() * cumulative[cumulative.length - 1]);
            }
            arrivals.add(new Arrival(i, now, sources[source], targets[target], sizes.draw(random), random.nextLong()));
        }
        return arrivals;
    }

    /** Returns the first pair whose cumulative weight is above a number: one without weight is never chosen. */
    private int pick(double weight) {
        int low = 0;
        int high = cumulative.length - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (cumulative[middle] > weight) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
