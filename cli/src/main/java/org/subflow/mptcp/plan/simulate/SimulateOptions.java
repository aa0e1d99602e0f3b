// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.plan.InputException;
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
        OptionValue.read("simulate", arguments, options.all());
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
        all.put("--capacity", value -> capacityMbps = value.amount("Mbit/s"));
        all.put("--traffic", value -> traffic = value.text());
        all.put("--matrix", value -> matrix = value.text());
        all.put("--connections", value -> connections = (int) value.whole(1, MOST_CONNECTIONS));
        all.put("--load", value -> load = value.amount("parts"));
        all.put("--rate", value -> rate = value.amount("connections per second"));
        all.put("--ends", value -> ends = value.text());
        all.put("--hosts", value -> hosts = value.text());
        all.put("--sizes", value -> sizes = SizeDistribution.parse(value.text()));
        all.put("--strategy", value -> strategies = value.names(PathStrategies.names(), PathStrategies::named));
        all.put("--allocator", value -> allocators = value.names(Allocators.names(), Allocators::byName));
        all.put("--model", value -> models = value.names(MODELS, oneOf("model", MODELS)));
        all.put("--k", value -> k = (int) value.whole(1, MOST_SUBFLOWS));
        all.put("--failures", value -> failures = value.text());
        all.put("--seed", value -> seed = value.whole(0, Integer.MAX_VALUE));
        all.put("--runs", value -> runs = (int) value.whole(1, MOST_RUNS));
        all.put("--out", value -> out = value.text());
        all.put("--json", value -> json = value.text());
        all.put("--format", value -> format = value.named(oneOf("format", FORMATS), FORMATS));
        all.put("--plain", value -> parameters.plain = value.named(oneOf("plain strategy", PLAIN), PLAIN));
        all.put("--shares", value -> parameters.approximate =
                value.named(oneOf("computation of shares", SHARES), SHARES).equals("approximate"));
        all.put("--step", value -> parameters.step = value.amount("ms") / 1e3);
        all.put("--manage-after-bytes", value -> parameters.manageAfterBytes = value.amount("bytes"));
        all.put("--manage-after-millis", value -> parameters.manageAfterSeconds = value.amount("ms") / 1e3);
        all.put("--repair-millis", value -> parameters.repairSeconds = value.amount("ms") / 1e3);
        all.put("--payload", value -> parameters.payloadBytes = value.whole(1, (long) Parameters.FRAME_BYTES));
        all.put("--snapshots", value -> parameters.snapshots = (int) value.whole(0, MOST_SNAPSHOTS));
        return all;
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
