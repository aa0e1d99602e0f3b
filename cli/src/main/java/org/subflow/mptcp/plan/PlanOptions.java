// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.Arrays;
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
        OptionValue.read("plan", Arrays.asList(arguments), options::set);
        if (!options.help) {
            options.check();
        }
        return options;
    }

    private void set(String name, OptionValue value) {
        switch (name) {
            case "-h":
            case "--help":
                help = value.absent();
                break;
            case "--topology":
                topology = value.text();
                break;
            case "--convert":
                convert = value.absent();
                break;
            case "--capacity":
                capacityMbps = value.amount("Mbit/s");
                break;
            case "--from":
                from = value.text();
                break;
            case "--to":
                to = value.text();
                break;
            case "--connections":
                connections = value.text();
                break;
            case "--k":
                k = (int) value.whole(1, ConnectionRequest.MOST_SUBFLOWS);
                break;
            case "--strategy":
                strategy = value.named(PathStrategies::named, PathStrategies.names()).name();
                break;
            case "--disjoint":
                disjointness = value.parsed(Disjointness::parse);
                break;
            case "--max-delay":
                maxDelay = value.amount("ms");
                break;
            case "--max-delay-spread":
                maxDelaySpread = value.amount("ms");
                break;
            case "--m":
                m = (int) value.whole(1, 1_000_000);
                break;
            case "--exact":
                exact = value.absent();
                break;
            case "--prefer":
                preference = value.parsed(Preference::parse);
                break;
            case "--join":
                join = value.parsed(JoinPolicy::parse);
                break;
            case "--both-ways":
                bothWays = value.absent();
                break;
            case "--first":
                first = value.absent();
                break;
            case "--bound":
                bound = value.absent();
                break;
            case "--why":
                why = value.absent();
                break;
            case "--allocator":
                allocator = value.named(Allocators::byName, Allocators.names()).name();
                break;
            case "--seed":
                seed = value.whole(Long.MIN_VALUE, Long.MAX_VALUE);
                break;
            case "--format":
                writer = value.parsed(PlanWriter::named);
                break;
            default:
                throw new InputException("unknown option " + name + Nearest.told(name, Planner.options()) + "; see ./lab plan --help");
        }
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
