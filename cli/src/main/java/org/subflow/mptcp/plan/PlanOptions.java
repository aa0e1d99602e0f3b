// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.PathLimits;
import org.subflow.mptcp.path.Preference;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.share.Allocators;

/** The command line, checked as far as it can be without the topology. Not changed once it is read. */
final class PlanOptions {
    /** Default number of subflows of a connection, as in the evaluations of the papers. */
    static final int DEFAULT_K = 3;

    boolean help;
    /** Whether to print the topology alone, as node-link JSON. */
    boolean convert;
    String topology;
    /** Capacity of links that give none, in Mbit/s; not a number if none was given. */
    double capacityMbps = Double.NaN;
    String from;
    String to;
    String connections;
    int k = DEFAULT_K;
    String strategy = PathStrategies.names().get(0);
    /** Null leaves it to the strategy. */
    Disjointness disjointness;
    /** In milliseconds; infinite without a limit. */
    double maxDelay = Double.POSITIVE_INFINITY;
    double maxDelaySpread = PathLimits.DEFAULT_SPREAD_MILLIS;
    /** 0 leaves it to the strategy. */
    int m;
    boolean exact;
    /** Null leaves it to the strategy. */
    Preference preference;
    JoinPolicy join = JoinPolicy.SHARE;
    /** Whether to stop before the search for better paths. */
    boolean first;
    /** Whether connections begin without a known direction, as they do for a controller without hosts' agents. */
    boolean bothWays;
    /** Whether to say what limits each connection. */
    boolean why;
    /** Whether to compute the best rates of any routing, too. */
    boolean bound;
    String allocator = Allocators.standard().name();
    long seed;
    PlanWriter writer = PlanWriter.named("json");

    private PlanOptions() {
    }

    /**
     * Reads a command line.
     *
     * @param arguments what follows {@code ./lab plan}
     * @return the options
     * @throws InputException if an option is unknown, or has no value or a wrong one; or if options are missing or exclude
     *                        each other
     */
    static PlanOptions parse(String... arguments) {
        PlanOptions options = new PlanOptions();
        OptionValue.read("plan", arguments, options.all());
        if (!options.help) {
            options.check();
        }
        return options;
    }

    /** Returns what there is, by name: how each takes its value. */
    Map<String, Consumer<OptionValue>> all() {
        Map<String, Consumer<OptionValue>> all = new LinkedHashMap<>();
        all.put("-h", value -> help = value.absent());
        all.put("--help", value -> help = value.absent());
        all.put("--topology", value -> topology = value.text());
        all.put("--convert", value -> convert = value.absent());
        all.put("--capacity", value -> capacityMbps = value.amount("Mbit/s"));
        all.put("--from", value -> from = value.text());
        all.put("--to", value -> to = value.text());
        all.put("--connections", value -> connections = value.text());
        all.put("--k", value -> k = (int) value.whole(1, ConnectionRequest.MOST_SUBFLOWS));
        all.put("--strategy", value -> strategy = value.named(PathStrategies::named, PathStrategies.names()).name());
        all.put("--disjoint", value -> disjointness = value.parsed(Disjointness::parse));
        all.put("--max-delay", value -> maxDelay = value.amount("ms"));
        all.put("--max-delay-spread", value -> maxDelaySpread = value.amount("ms"));
        all.put("--m", value -> m = (int) value.whole(1, 1_000_000));
        all.put("--exact", value -> exact = value.absent());
        all.put("--prefer", value -> preference = value.parsed(Preference::parse));
        all.put("--join", value -> join = value.parsed(JoinPolicy::parse));
        all.put("--both-ways", value -> bothWays = value.absent());
        all.put("--first", value -> first = value.absent());
        all.put("--bound", value -> bound = value.absent());
        all.put("--why", value -> why = value.absent());
        all.put("--allocator", value -> allocator = value.named(Allocators::byName, Allocators.names()).name());
        all.put("--seed", value -> seed = value.whole(Long.MIN_VALUE, Long.MAX_VALUE));
        all.put("--format", value -> writer = value.parsed(PlanWriter::named));
        return all;
    }

    private void check() {
        if (topology == null) {
            throw new InputException("--topology is missing: give a file or a name; see ./lab plan --help");
        }
        if (connections != null && (from != null || to != null)) {
            throw new InputException("--connections and --" + (from != null ? "from" : "to") + " exclude each other");
        }
        if (convert && (from != null || to != null)) {
            throw new InputException("--convert plans nothing: it goes without --from and --to");
        }
        if (connections == null && (from == null) != (to == null)) {
            throw endsMissing();
        }
    }

    /** Returns the exception for connections that are nowhere. */
    InputException endsMissing() {
        return new InputException((from == null ? "--from" : "--to")
                + " is missing: give --from A --to B, or --connections FILE");
    }
}
