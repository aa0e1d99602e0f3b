// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.share.Allocators;

/** Lists the allocators of expected throughputs. */
@Service
@Command(scope = "onos", name = "mptcp-allocators", description = "Lists the allocators of expected throughputs",
        detailedDescription = "* marks the one in force. To choose another one at once:\n"
                + "  mptcp-settings allocator proportional\nExamples:\n  mptcp-allocators\n  mptcp-allocators -j")
public class AllocatorsCommand extends MptcpCommand {
    private static final String FORMAT = "%1s %s";

    @Override
    protected void run() {
        String chosen = get(SettingsService.class).get(Settings.ALLOCATOR);
        list(Allocators.names(), name -> mapper().createObjectNode().put("name", name).put("inForce", name.equals(chosen)),
             () -> print(FORMAT, "", "NAME"), name -> print(FORMAT, name.equals(chosen) ? "*" : "", name));
    }
}
