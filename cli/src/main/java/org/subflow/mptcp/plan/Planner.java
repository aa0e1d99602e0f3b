// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.util.List;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.plan.file.TopologyFile;
import org.subflow.mptcp.share.Allocators;

/** {@code ./lab plan}: status 0 and the plan on standard output, or 2 and one line on standard error. */
public final class Planner {
    /** Where values begin in a line of the help, and how many characters have room there. */
    private static final int HELP_INDENT = 27;
    private static final int HELP_WIDTH = 93;

    private Planner() {
    }

    /**
     * Plans and ends the virtual machine with the status.
     *
     * @param arguments what follows {@code ./lab plan}
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments, Answer.standardOutput(), Answer.standardError()));
    }

    /**
     * Plans.
     *
     * @param arguments what follows {@code ./lab plan}
     * @param out       gets the plan, or nothing
     * @param err       gets one line if something is wrong
     * @return the exit status
     */
    static int run(String[] arguments, PrintStream out, PrintStream err) {
        return ((Answer) () -> answer(PlanOptions.parse(arguments), err)).print("plan", out, err);
    }

    private static String answer(PlanOptions options, PrintStream err) throws IOException {
        if (options.help) {
            return help();
        }
        TopologyFile file = new TopologySource(options.capacityMbps, options.seed).find(options.topology);
        Topology topology = file.topology;
        topology.notes().forEach(note -> err.println("lab: plan: " + note));
        if (options.convert) {
            return options.connections == null ? NodeLinkWriter.written(topology)
                    : DemandsWriter.written(requests(options, file), topology);
        }
        Plan plan = new Planning(topology, options).place(requests(options, file));
        for (PlannedConnection connection : plan.connections) {
            if (connection.subflows.isEmpty()) {
                err.println("lab: plan: connection '" + connection.request.id + "': nothing with capacity leads from '"
                        + topology.shown(connection.request.source) + "' to '" + topology.shown(connection.request.target)
                        + "'");
            }
        }
        // The output is written at once, so that a reader never gets half a plan.
        StringWriter text = new StringWriter();
        options.writer.write(plan, text);
        return text.toString();
    }

    private static List<ConnectionRequest> requests(PlanOptions options, TopologyFile file) {
        Topology topology = file.topology;
        if (options.connections != null) {
            return ConnectionsReader.read(options.connections, topology, options.k);
        }
        if (options.from == null) {
            if (file.demands.isEmpty()) {
                throw options.endsMissing();
            }
            return ConnectionsReader.of(options.topology, file.demands, topology, options.k);
        }
        int source = node(topology, "--from", options.from);
        int target = node(topology, "--to", options.to);
        if (source == target) {
            throw new InputException("--from and --to are both '" + options.from + "': give two nodes");
        }
        return List.of(new ConnectionRequest("c1", source, target, options.k, 1, Double.POSITIVE_INFINITY));
    }

    private static int node(Topology topology, String option, String name) {
        try {
            return Nearest.node(topology, name);
        } catch (IllegalArgumentException e) {
            throw new InputException(option + ": " + e.getMessage(), e);
        }
    }

    /** Returns names in lines, each below the first one. */
    private static String wrapped(List<String> names) {
        StringBuilder text = new StringBuilder();
        int used = 0;
        for (String name : names) {
            boolean isFirst = text.length() == 0;
            boolean fits = used + name.length() + 3 <= HELP_WIDTH;
            text.append(isFirst ? "" : fits ? ", " : ",\n" + " ".repeat(HELP_INDENT)).append(name);
            used = (isFirst || !fits ? 0 : used + 2) + name.length();
        }
        return text.toString();
    }

    private static String help() {
        return String.join("\n",
                "usage: ./lab plan --topology FILE|NAME [--from A --to B | --connections FILE | --convert] [OPTION…]",
                "",
                "Paths and expected throughputs of MPTCP connections on a topology, without a network.",
                "",
                "  --topology FILE|NAME     " + wrapped(List.of("node-link JSON", "GraphML", "GML", "SNDlib", "REPETITA", "MiniEdit",
                        "ONOS's links or network configuration"))
                        + ";",
                "                           a controller, as in http://127.0.0.1:8181/onos (login: ONOS_WEB_USER, ONOS_WEB_PASS);",
                "                           or " + wrapped(TopologySource.NAMES),
                "  --capacity MBPS          capacity of links that give none (named topologies: 10)",
                "  --from A --to B          one connection, with --k subflows, between nodes by their names or labels",
                "  --connections FILE       several, placed in the order given: "
                        + "[{\"id\": \"c1\", \"source\": \"a\", \"target\": \"b\",",
                "                           \"subflows\": 3, \"weight\": 1, \"capMbps\": null}, …]",
                "                           or demands of SNDlib or REPETITA; without it, the demands of the topology's file",
                "  --convert                print the topology as node-link JSON, and plan nothing; with --connections, what they",
                "                           send as a traffic matrix, source,target,mbps",
                "  --k K                    subflows of a connection (" + PlanOptions.DEFAULT_K + ")",
                "  --strategy S             " + wrapped(PathStrategies.names()),
                "  --disjoint KIND          in which way paths are disjoint, where the strategy has a choice: link, node, or srlg",
                "                           by the links' shared-risk link groups",
                "  --max-delay MS           the longest delay of a path (none); links without delayMillis count as 0",
                "  --max-delay-spread MS    the largest difference of delays between paths of a connection (20)",
                "  --m M                    k-max-min: paths kept per parent and node",
                "  --exact                  link-disjoint, node-disjoint: as many paths as exist",
                "  --prefer rate|hops       widest-disjoint: wide or short paths, at the same count and smallest bottleneck",
                "  --join POLICY            subflows beyond the disjoint paths: share the path that has least in common with",
                "                           their siblings', be a backup on it, or block, and there are none of them (share)",
                "  --both-ways              place each connection as if it might send in both directions, as the controller does",
                "                           until it has seen in which it sends",
                "  --first                  stop at the first placement, before better paths are looked for",
                "  --allocator A            " + String.join(", ", Allocators.names()),
                "  --bound                  the best rates of any routing, and how close these paths come to them",
                "  --why                    what limits each connection: full links with who uses them, what 1 Mbit/s more there",
                "                           would bring it, and why it has no further disjoint path",
                "  --seed N                 of ecmp's hash and of random topologies (0)",
                "  --format json|table|dot  (json)",
                "",
                "The first strategy and allocator are the defaults. "
                        + "Status: 0 with the plan, 2 with one line if the input is wrong.",
                "");
    }
}
