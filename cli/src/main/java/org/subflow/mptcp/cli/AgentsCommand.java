// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.agent.AgentService;
import org.subflow.mptcp.api.agent.AgentStatus;

/** Lists the hosts that are registered for an agent, with what their agents last reported. */
@Service
@Command(scope = "onos", name = "mptcp-agents", description = "Lists hosts with agents and their last reports",
        detailedDescription = "Examples:\n  mptcp-agents\n  mptcp-agents -j")
public class AgentsCommand extends MptcpCommand {
    private static final String FORMAT = "%-40s %13s %-10s %-8s %12s %s";
    private static final String NEVER = "never";

    @Override
    protected void run() {
        list(get(AgentService.class).agents(), agent -> jsonForEntity(agent, AgentStatus.class),
             () -> print(FORMAT, "HOST", "REPORT ms ago", "BACKEND", "PATHS BY", "CONNECTIONS", "VERSION"), agent -> {
            String age = agent.lastReportMillis().isPresent() ? Long.toString(agent.lastReportMillis().getAsLong()) : NEVER;
            print(FORMAT, agent.host(), age, agent.backend(), agent.pathManager(), agent.connections(), agent.version());
        });
    }
}
