// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.strategy.PathStrategies;

/** Lists the path strategies, with the kinds of disjointness that each can be asked for, its own choice first. */
@Service
@Command(scope = "onos", name = "mptcp-strategies", description = "Lists the path strategies",
        detailedDescription = "* marks the one of the settings. To choose another one for connections that begin from now on:\n"
                + "  mptcp-settings strategy shortest\nExamples:\n  mptcp-strategies\n  mptcp-strategies -j")
public class StrategiesCommand extends MptcpCommand {
    private static final String FORMAT = "%1s %-18s %s";

    @Override
    protected void run() {
        String chosen = get(SettingsService.class).get(Settings.STRATEGY);
        list(PathStrategies.names(), name -> {
            ObjectNode node = mapper().createObjectNode().put("name", name).put("inForce", name.equals(chosen));
            kinds(name).forEach(node.putArray("disjointness")::add);
            return node;
        }, () -> print(FORMAT, "", "NAME", "DISJOINT"),
             name -> print(FORMAT, name.equals(chosen) ? "*" : "", name, String.join(", ", kinds(name))));
    }

    private static List<String> kinds(String strategy) {
        return PathStrategies.named(strategy).disjointness().stream().map(Disjointness::toString).collect(Collectors.toList());
    }
}
