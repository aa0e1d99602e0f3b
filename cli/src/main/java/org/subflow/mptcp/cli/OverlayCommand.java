// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractShellCommand;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.OverlayService;

/** Switches the highlights on ONOS's own topology view on and off, for one user of ONOS's GUI. */
@Service
@Command(scope = "onos", name = "mptcp-overlay",
         description = "Shows MPTCP connections on ONOS's topology view, or no longer")
public class OverlayCommand extends AbstractShellCommand {
    @Option(name = "-u", aliases = "--user", description = "User of ONOS's GUI for whom it is (default: onos)")
    private String user = "onos";

    @Argument(index = 0, name = "on|off", required = true, description = "on or off")
    private String onOff = null;

    @Argument(index = 1, name = "connection", multiValued = true,
              description = "Connections to show; none for the few largest")
    @Completion(ConnectionIdCompleter.class)
    private List<String> connections = List.of();

    @Override
    protected void doExecute() {
        if ("on".equals(onOff)) {
            Set<ConnectionId> ids = connections.stream().map(ConnectionId::of).collect(Collectors.toSet());
            get(OverlayService.class).show(user, ids);
            print("Shown to user %s on ONOS's topology view", user);
        } else if ("off".equals(onOff)) {
            get(OverlayService.class).hide(user);
            print("No longer shown to user %s", user);
        } else {
            error("It takes on or off, not '%s'", onOff);
        }
    }
}
