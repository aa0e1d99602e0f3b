// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.policy.PolicyEditService;
import org.subflow.mptcp.cli.completer.PolicyNameCompleter;
import org.subflow.mptcp.cli.text.ConfiguredPolicies;

/** Takes a policy out of ONOS's network configuration. */
@Service
@Command(scope = "onos", name = "mptcp-policy-remove", description = "Removes a policy",
        detailedDescription = "Connections that have begun keep its terms.\nExamples:\n"
                + "  mptcp-policy-remove video\n  mptcp-policy-remove -j video")
public class PolicyRemoveCommand extends MptcpCommand {
    @Argument(index = 0, name = "name", required = true, description = "Name of the policy")
    @Completion(PolicyNameCompleter.class)
    private String name = null;

    @Override
    protected void run() {
        ArrayNode policies = get(PolicyEditService.class).change(
                (configured, list) -> list.remove(ConfiguredPolicies.index(list, name)));
        if (outputJson()) {
            print("%s", policies);
        } else {
            print("Policy %s is removed; connections that have begun keep its terms.", name);
        }
    }
}
