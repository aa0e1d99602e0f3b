// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.cli.completer.AwaitedIdCompleter;

/** Removes a connection that has been added and has not started. */
@Service
@Command(scope = "onos", name = "mptcp-connection-remove", description = "Gives back what a connection got before its start",
        detailedDescription = "A connection that has started is ended by its hosts alone.\nExamples:\n"
                + "  mptcp-connection-remove awaited-1\n  mptcp-connection-remove -j awaited-1")
public class ConnectionRemoveCommand extends MptcpCommand {
    @Argument(index = 0, name = "id", required = true, description = "Name of the connection")
    @Completion(AwaitedIdCompleter.class)
    private String id = null;

    @Override
    protected void run() {
        if (!get(AwaitedService.class).remove(ConnectionId.of(id))) {
            throw new IllegalArgumentException("No MPTCP connection has the id " + id + "; mptcp-connections -a lists them");
        }
        if (outputJson()) {
            print("%s", mapper().createObjectNode().put("removed", id));
        } else {
            print("Connection %s is removed.", id);
        }
    }
}
