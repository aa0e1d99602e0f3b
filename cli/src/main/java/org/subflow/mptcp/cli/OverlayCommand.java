// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.OverlayService;
import org.subflow.mptcp.cli.completer.ConnectionIdCompleter;
import org.subflow.mptcp.cli.completer.OnOffCompleter;

/** Switches the highlights on ONOS's own topology view on and off, for one user of ONOS's GUI. */
@Service
@Command(scope = "onos", name = "mptcp-overlay",
         description = "Shows MPTCP connections on ONOS's topology view, or no longer",
         detailedDescription = "Examples:\n  mptcp-overlay on\n  mptcp-overlay -u guest on 33a99110\n  mptcp-overlay off")
public class OverlayCommand extends MptcpCommand {
    @Option(name = "-u", aliases = "--user", description = "User of ONOS's GUI for whom it is (default: onos)")
    private String user = "onos";

    @Argument(index = 0, name = "on|off", required = true, description = "on or off")
    @Completion(OnOffCompleter.class)
    private String onOff = null;

    @Argument(index = 1, name = "connection", multiValued = true,
              description = "Connections to show; none for the few largest")
    @Completion(ConnectionIdCompleter.class)
    private List<String> connections = List.of();

    @Override
    protected void run() {
        if (OnOffCompleter.ON.equals(onOff)) {
            Set<ConnectionId> ids = connections.stream().map(ConnectionId::of).collect(Collectors.toSet());
            get(OverlayService.class).show(user, ids);
            tell("Shown to user %s on ONOS's topology view");
        } else if (OnOffCompleter.OFF.equals(onOff)) {
            get(OverlayService.class).hide(user);
            tell("No longer shown to user %s");
        } else {
            throw new IllegalArgumentException("It takes on or off, not '" + onOff + "'");
        }
    }

    /** Says what is shown now, in words or as {@code GET overlay} does. */
    private void tell(String words) {
        if (!outputJson()) {
            print(words, user);
            return;
        }
        Optional<Set<ConnectionId>> shown = get(OverlayService.class).shown(user);
        ObjectNode node = mapper().createObjectNode().put("user", user).put("shown", shown.isPresent());
        ArrayNode names = node.putArray("connections");
        shown.ifPresent(ids -> ids.stream().sorted().forEach(id -> names.add(id.value())));
        print("%s", node);
    }
}
