// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.MptcpService;

/** Shows the counters of packets, handshakes and malformed options. */
@Service
@Command(scope = "onos", name = "mptcp-counters", description = "Shows what has been counted: packets, handshakes, policies, rules",
        detailedDescription = "Examples:\n  mptcp-counters -n\n  mptcp-counters -j")
public class CountersCommand extends MptcpCommand {
    @Option(name = "-n", aliases = "--nonzero", description = "Only counters that have counted")
    private boolean nonzero = false;

    @Override
    protected void run() {
        ObjectNode json = mapper().createObjectNode();
        get(MptcpService.class).counters().forEach((name, value) -> {
            if (nonzero && value == 0) {
                return;
            }
            if (outputJson()) {
                json.put(name, value);
            } else {
                print("%-40s %12d", name, value);
            }
        });
        if (outputJson()) {
            print("%s", json);
        }
    }
}
