// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.net.Host;
import org.onosproject.net.host.HostService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.plan.WhatIfAnswer;
import org.subflow.mptcp.api.plan.WhatIfService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.cli.completer.HostCompleter;
import org.subflow.mptcp.cli.completer.StrategyCompleter;
import org.subflow.mptcp.cli.text.RatesText;
import org.subflow.mptcp.cli.text.WholeNumbers;
import org.subflow.mptcp.path.strategy.PathStrategies;

/** Shows the paths that strategies would choose for a connection that began now. Changes nothing. */
@Service
@Command(scope = "onos", name = "mptcp-paths",
        description = "Shows the paths that strategies would choose for a connection that began now",
        detailedDescription = "Examples:\n"
                + "  mptcp-paths 10.0.0.1 10.0.0.2\n"
                + "  mptcp-paths -k 2 -s widest-disjoint -s shortest 10.0.0.1 10.0.0.2\n"
                + "  mptcp-paths -j 00:00:00:00:00:01/None 00:00:00:00:00:02/None")
public class PathsCommand extends NetworkCommand {
    private static final String FORMAT = "%-18s %14s %8s  %s";
    private static final int MOST_SUBFLOWS = 64;
    private static final double MICROS_PER_MILLI = 1e3;

    @Option(name = "-k", aliases = "--subflows", description = "Number of subflows, 1 to 64; that of the settings if left out")
    private String subflows = null;

    @Option(name = "-s", aliases = "--strategy", multiValued = true, description = "Strategy, may come several times; all if left out")
    @Completion(StrategyCompleter.class)
    private List<String> strategies = null;

    @Argument(index = 0, name = "client", required = true, description = "Address or id of the host that would open it")
    @Completion(HostCompleter.class)
    private String client = null;

    @Argument(index = 1, name = "server", required = true, description = "Address or id of the other host")
    @Completion(HostCompleter.class)
    private String server = null;

    @Override
    protected void run() {
        Subflow first = WhatIfService.between(host(client), host(server));
        int number = subflows == null ? get(SettingsService.class).settings().get(Settings.SUBFLOWS)
                : WholeNumbers.read("-k", subflows, 1, MOST_SUBFLOWS);
        List<String> names = strategies == null ? PathStrategies.names() : strategies;
        names.forEach(PathStrategies::named);
        List<WhatIfAnswer> answers = get(WhatIfService.class).whatIf(names, number, first);
        if (outputJson()) {
            ArrayNode array = mapper().createArrayNode();
            IntStream.range(0, names.size()).forEach(i -> array.add(json(names.get(i), answers.get(i))));
            print("%s", array);
            return;
        }
        print(FORMAT, "STRATEGY", "EXPECTED Mb/s", "TIME ms", "PATHS");
        IntStream.range(0, names.size()).forEach(i -> print(names.get(i), answers.get(i)));
    }

    private static Host host(String text) {
        return WhatIfService.host(get(HostService.class), text);
    }

    private void print(String strategy, WhatIfAnswer answer) {
        if (answer.error().isPresent()) {
            print(FORMAT, strategy, "-", "-", answer.error().get());
            return;
        }
        Connection connection = answer.connection().orElseThrow();
        List<Subflow> all = connection.subflows();
        // Delays are those of the network, which REST's form of a connection has.
        JsonNode told = jsonForEntity(connection, Connection.class).path("subflows");
        List<String> lines = IntStream.range(0, all.size()).filter(i -> all.get(i).isRouted())
                .mapToObj(i -> path(all.get(i), told.path(i))).collect(Collectors.toList());
        List<Subflow> routed = all.stream().filter(Subflow::isRouted).collect(Collectors.toList());
        print(FORMAT, strategy, RatesText.of(connection.expected()), String.format("%.1f", answer.micros() / MICROS_PER_MILLI),
              lines.isEmpty() ? "no path" : lines.get(0));
        IntStream.range(1, lines.size())
                .forEach(i -> print(FORMAT, "", RatesText.of(routed.get(i).expected()), "", lines.get(i)));
    }

    /** Returns a path's switches, and its delay if the network has any. */
    private String path(Subflow subflow, JsonNode told) {
        return path(subflow.devices())
                + (told.path("delayMillis").isNumber() ? "  (" + told.path("delayMillis").asText() + " ms)" : "");
    }

    private ObjectNode json(String strategy, WhatIfAnswer answer) {
        ObjectNode node = mapper().createObjectNode().put("strategy", strategy).put("error", answer.error().orElse(null));
        answer.connection().ifPresent(found -> {
            ObjectNode connection = jsonForEntity(found, Connection.class);
            node.put("micros", answer.micros());
            for (String field : List.of("expectedUpMbps", "expectedDownMbps", "disjointIn", "subflows")) {
                node.set(field, connection.get(field));
            }
        });
        return node;
    }
}
