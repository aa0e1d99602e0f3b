// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.cli.completer.SubflowCompleter;
import org.subflow.mptcp.cli.text.WholeNumbers;

/** Adds a connection that has not started: it has paths, rules and reservations at once. */
@Service
@Command(scope = "onos", name = "mptcp-connection-add", description = "Gives a connection paths and bandwidth before it starts",
        detailedDescription = "It gives them back if it does not start in time. IPv6 addresses are in brackets, and the whole in quotes.\n"
                + "Examples:\n"
                + "  mptcp-connection-add 10.0.0.1:40000,10.0.0.2:5201\n"
                + "  mptcp-connection-add -t 3600 10.0.0.1:40000,10.0.0.2:5201 10.0.0.1:40001,10.0.0.2:5201\n"
                + "  mptcp-connection-add -j '[fd00::1]:40000,[fd00::2]:5201'")
public class ConnectionAddCommand extends MptcpCommand {
    @Option(name = "-t", aliases = "--seconds", description = "How long it is awaited, seconds (" + AwaitedService.SECONDS + ")")
    private String seconds = String.valueOf(AwaitedService.SECONDS);

    @Argument(index = 0, name = "subflow", required = true, multiValued = true,
              description = "ADDRESS:PORT,ADDRESS:PORT, first the sender of the SYN; the first subflow opens the connection")
    @Completion(SubflowCompleter.class)
    private List<String> subflows = null;

    @Override
    protected void run() {
        Connection added = get(AwaitedService.class).add(
                subflows.stream().map(ConnectionAddCommand::tuple).collect(Collectors.toList()),
                WholeNumbers.read("-t", seconds, 1, AwaitedService.MOST_SECONDS));
        if (outputJson()) {
            print("%s", jsonForEntity(added, Connection.class));
        } else {
            print("Connection %s is awaited for %s seconds.", added.id(), seconds);
        }
    }

    private static FiveTuple tuple(String text) {
        String[] ends = text.split(",", -1);
        if (ends.length != 2) {
            throw new IllegalArgumentException("A subflow is ADDRESS:PORT,ADDRESS:PORT, not '" + text + "'");
        }
        return FiveTuple.parse(ends[0], ends[1]);
    }
}
