// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.plan.BackgroundPlanService;
import org.subflow.mptcp.api.plan.ReoptimisationService;
import org.subflow.mptcp.cli.completer.ConnectionIdCompleter;
import org.subflow.mptcp.cli.text.ConnectionNames;
import org.subflow.mptcp.cli.text.RatesText;

/** Moves connections to better paths now, or shows how a background plan would move them. */
@Service
@Command(scope = "onos", name = "mptcp-reoptimize",
        description = "Moves connections to better paths now",
        detailedDescription = "Looks once for better paths, moves connections to them without a gap, and lists those that move.\n"
                + "The controller does the same by itself when bandwidth has become free. Moves that gain only together\n"
                + "follow by themselves; --dry-run shows them.\nExamples:\n  mptcp-reoptimize\n  mptcp-reoptimize -j 33a99110\n"
                + "  mptcp-reoptimize --dry-run\n  mptcp-reoptimize --dry-run 33a99110")
public class ReoptimizeCommand extends NetworkCommand {
    private static final String FORMAT = "%-10s %-21s %-21s %13s  %s";

    @Option(name = "--dry-run", description = "Shows the moves that gain together, and changes nothing")
    private boolean dryRun = false;

    @Argument(index = 0, name = "id", description = "Name of the only connection; all if left out")
    @Completion(ConnectionIdCompleter.class)
    private String id = null;

    @Override
    protected void run() {
        Optional<ConnectionId> only =
                Optional.ofNullable(id).map(name -> ConnectionNames.find(get(MptcpService.class), name).id());
        List<Connection> moved = dryRun
                ? get(BackgroundPlanService.class).backgroundPlan().stream()
                        .filter(connection -> only.map(connection.id()::equals).orElse(true)).collect(Collectors.toList())
                : get(ReoptimisationService.class).reoptimise(only);
        list(moved, connection -> jsonForEntity(connection, Connection.class),
             () -> print(FORMAT, "CONNECTION", "SOURCE", "DESTINATION", "EXPECTED Mb/s", "PATH"),
             connection -> connection.subflows().forEach(subflow -> print(
                     FORMAT, connection.id(), subflow.tuple().sourceText(), subflow.tuple().destinationText(),
                     RatesText.of(subflow.expected()), path(subflow.devices()))));
    }
}
