// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.api.plan.ShareLimits;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.cli.completer.ConnectionIdCompleter;
import org.subflow.mptcp.cli.text.ConnectionNames;
import org.subflow.mptcp.cli.text.RatesText;

/** Says what limits a connection, and why it has no further disjoint path. */
@Service
@Command(scope = "onos", name = "mptcp-why", description = "Says what limits an MPTCP connection",
        detailedDescription = "Examples:\n  mptcp-why 33a99110\n  mptcp-why -j 33a99110")
public class WhyCommand extends NetworkCommand {
    @Argument(index = 0, name = "id", description = "Connection", required = true)
    @Completion(ConnectionIdCompleter.class)
    private String id = null;

    @Override
    protected void run() {
        MptcpService mptcp = get(MptcpService.class);
        ConnectionNames.ended(mptcp, get(HistoryService.class), id).ifPresent(ended -> {
            throw ShareLimits.ofEnded(ended);
        });
        Connection connection = ConnectionNames.find(mptcp, id);
        ShareLimits limits = ShareLimits.of(mptcp, get(SettingsService.class).settings().get(Settings.ALLOCATOR), connection.id());
        if (outputJson()) {
            print("%s", jsonForEntity(limits, ShareLimits.class));
            return;
        }
        double expected = limits.isUpwards() ? connection.expected().up() : connection.expected().down();
        print("%s is expected to get %s Mbit/s to the %s%s", id, RatesText.of(expected), limits.isUpwards() ? "server" : "client",
              limits.isByDemand() ? ": all that it sends" : limits.links().isEmpty() ? "; no link on its paths is full" : "");
        for (ShareLimits.FullLink full : limits.links()) {
            print("  %s is full: %s Mbit/s, used by %s; 1 Mbit/s more there would bring it %s", link(full.link()),
                  RatesText.of(full.capacity()), full.connections().stream().map(ConnectionId::value).collect(Collectors.joining(", ")),
                  RatesText.of(full.gain()));
        }
        print("  %d disjoint paths at most: all lead over %s", limits.cut().size(),
              limits.cut().stream().map(this::link).collect(Collectors.joining(", ")));
    }
}
