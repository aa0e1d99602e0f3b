// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.net.DeviceId;
import org.subflow.mptcp.api.BackgroundPlanService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.Subflow;

/** Shows how a background plan would move connections now. The controller makes such moves by itself. */
@Service
@Command(scope = "onos", name = "mptcp-reoptimize",
        description = "Shows the moves to better paths of several connections together",
        detailedDescription = "Examples:\n  mptcp-reoptimize --dry-run\n  mptcp-reoptimize --dry-run -j\n"
                + "  mptcp-reoptimize --dry-run 33a99110")
public class ReoptimizeCommand extends MptcpCommand {
    private static final String FORMAT = "%-18s %-24s %-24s %14s  %s";

    @Option(name = "--dry-run", description = "Says what would be done, and changes nothing")
    private boolean dryRun = false;

    @Argument(index = 0, name = "id", description = "Only how this connection would move; all if left out")
    @Completion(ConnectionIdCompleter.class)
    private String id = null;

    @Override
    protected void run() {
        if (!dryRun) {
            throw new IllegalArgumentException("The controller makes such moves by itself; --dry-run shows them");
        }
        if (id != null) {
            ConnectionNames.find(get(MptcpService.class), id);
        }
        List<Connection> moved = get(BackgroundPlanService.class).backgroundPlan().stream()
                .filter(connection -> id == null || connection.id().value().equals(id)).collect(Collectors.toList());
        ArrayNode array = mapper().createArrayNode();
        if (!outputJson()) {
            print(FORMAT, "CONNECTION", "SOURCE", "DESTINATION", "EXPECTED Mb/s", "PATH");
        }
        for (Connection connection : moved) {
            if (outputJson()) {
                array.add(jsonForEntity(connection, Connection.class));
                continue;
            }
            for (Subflow subflow : connection.subflows()) {
                print(FORMAT, connection.id(), subflow.tuple().sourceText(), subflow.tuple().destinationText(),
                      RatesText.of(subflow.expected()),
                      subflow.devices().stream().map(DeviceId::toString).collect(Collectors.joining(" > ")));
            }
        }
        if (outputJson()) {
            print("%s", array);
        }
    }
}
