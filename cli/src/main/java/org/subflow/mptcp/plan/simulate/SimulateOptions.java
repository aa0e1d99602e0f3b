// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.plan.InputException;
import org.subflow.mptcp.plan.Nearest;
import org.subflow.mptcp.plan.OptionValue;
import org.subflow.mptcp.plan.simulate.engine.Parameters;
import org.subflow.mptcp.share.Allocators;

/** The command line, checked as far as it can be without the topology. Not changed once it is read. */
final class SimulateOptions {
    /** Hosts' agents make connections share; without them kernels make subflows share. */
    static final List<String> MODELS = List.of("by-connection", "by-subflow");
    private static final List<String> PLAIN = List.of("ecmp", "shortest");
    private static final List<String> SHARES = List.of("exact", "approximate");
    private static final List<String> FORMATS = List.of("table", "json", "csv");
    private static final int MOST_CONNECTIONS = 10_000_000;
    private static final int MOST_RUNS = 1000;
    static final int MOST_SUBFLOWS = 64;
    private static final int MOST_SNAPSHOTS = 1000;

    boolean help;
    String topology;
    /** Capacity of links that give none, in Mbit/s; not a number if none was given. */
    double capacityMbps = Double.NaN;
    /** File of arrivals; null for none. */
    String traffic;
    /** File of a traffic matrix or demands; null for none. */
    String matrix;
    int connections = 1000;
    /** Of what the ends can send together, or of the demands; not a number if none was given. */
    double load = Double.NaN;
    /** Connections per second; 0 to follow from the load. */
    double rate;
    /** Names of the nodes between which pairs are drawn begin so; null for all. */
    String ends;
    /** Names of hosts begin so; null for the topology's own. */
    String hosts;
    SizeDistribution sizes = SizeDistribution.parse("web-search");
    List<String> strategies = List.of(PathStrategies.names().get(0));
    List<String> allocators = List.of(Allocators.standard().name());
    List<String> models = List.of(MODELS.get(0));
    int k = 3;
    /** File of links that go down and come up; null for none. */
    String failures;
    long seed;
    int runs = 1;
    /** Folder for all results; null for none. */
    String out;
    String format = "table";
    /** File for the first run with its connections; null for none. */
    String json;
    /** What is the same for all connections; terms, allocator and model are set for each run. */
    final Parameters parameters = new Parameters();

    private SimulateOptions() {
    }

    /**
     * Reads a command line.
     *
     * @param arguments what follows {@code ./lab simulate}
     * @return the options
     * @throws InputException if an option is unknown, has a wrong value, or excludes another
     */
    static SimulateOptions parse(String... arguments) {
        SimulateOptions options = new SimulateOptions();
        OptionValue.read("simulate", Arrays.asList(arguments), options::set);
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
            case "--capacity":
                capacityMbps = value.amount("Mbit/s");
                break;
            case "--traffic":
                traffic = value.text();
                break;
            case "--matrix":
                matrix = value.text();
                break;
            case "--connections":
                connections = (int) value.whole(1, MOST_CONNECTIONS);
                break;
            case "--load":
                load = value.amount("parts");
                break;
            case "--rate":
                rate = value.amount("connections per second");
                break;
            case "--ends":
                ends = value.text();
                break;
            case "--hosts":
                hosts = value.text();
                break;
            case "--sizes":
                sizes = SizeDistribution.parse(value.text());
                break;
            case "--strategy":
                strategies = value.names(PathStrategies.names(), PathStrategies::named);
                break;
            case "--allocator":
                allocators = value.names(Allocators.names(), Allocators::byName);
                break;
            case "--model":
                models = value.names(MODELS, oneOf("model", MODELS));
                break;
            case "--k":
                k = (int) value.whole(1, MOST_SUBFLOWS);
                break;
            case "--failures":
                failures = value.text();
                break;
            case "--seed":
                seed = value.whole(0, Integer.MAX_VALUE);
                break;
            case "--runs":
                runs = (int) value.whole(1, MOST_RUNS);
                break;
            case "--out":
                out = value.text();
                break;
            case "--json":
                json = value.text();
                break;
            case "--format":
                format = value.named(oneOf("format", FORMATS), FORMATS);
                break;
            default:
                setParameter(name, value);
        }
    }

    private void setParameter(String name, OptionValue value) {
        switch (name) {
            case "--plain":
                parameters.plain = value.named(oneOf("plain strategy", PLAIN), PLAIN);
                break;
            case "--shares":
                parameters.approximate = value.named(oneOf("computation of shares", SHARES), SHARES).equals("approximate");
                break;
            case "--step":
                parameters.step = value.amount("ms") / 1e3;
                break;
            case "--manage-after-bytes":
                parameters.manageAfterBytes = value.amount("bytes");
                break;
            case "--manage-after-millis":
                parameters.manageAfterSeconds = value.amount("ms") / 1e3;
                break;
            case "--repair-millis":
                parameters.repairSeconds = value.amount("ms") / 1e3;
                break;
            case "--payload":
                parameters.payloadBytes = value.whole(1, (long) Parameters.FRAME_BYTES);
                break;
            case "--snapshots":
                parameters.snapshots = (int) value.whole(0, MOST_SNAPSHOTS);
                break;
            default:
                throw new InputException("unknown option " + name + Nearest.told(name, Help.options())
                        + "; see ./lab simulate --help");
        }
    }

    /** Returns the load, or another one if none was given. */
    double load(double otherwise) {
        return Double.isNaN(load) ? otherwise : load;
    }

    private static Function<String, String> oneOf(String what, List<String> names) {
        return text -> {
            if (!names.contains(text)) {
                throw new IllegalArgumentException("no " + what + " '" + text + "'; there are " + String.join(" and ", names));
            }
            return text;
        };
    }

    private void check() {
        if (topology == null) {
            throw new InputException("--topology is missing: give a file or a name; see ./lab simulate --help");
        }
        if (load == 0 && rate == 0) {
            throw new InputException("--load 0 brings no connection: give a part above 0, or --rate");
        }
        if (parameters.approximate && !allocators.equals(List.of(Allocators.standard().name()))) {
            throw new InputException("--shares approximate is for max-min alone: leave out --allocator, or compute exact shares with "
                    + "--step MS");
        }
        if (traffic != null && matrix != null) {
            throw new InputException("--traffic and --matrix exclude each other: connections come from one of them");
        }
        if ((traffic != null || matrix != null) && ends != null) {
            throw new InputException("--" + (traffic != null ? "traffic" : "matrix") + " and --ends exclude each other: the file names the ends");
        }
    }
}
