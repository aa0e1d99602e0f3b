// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.plan.BackgroundPlanService;
import org.subflow.mptcp.api.plan.ReoptimisationService;

/** {@code mptcp-reoptimize}. */
class ReoptimizeCommandTest extends CommandScenario {
    @Test
    void eachSubflowOfAConnectionThatWouldMoveIsALine() throws Exception {
        Connection moved = mptcp.connections().get(0);
        FrameworkUtil.offer(BackgroundPlanService.class, () -> List.of(moved));
        List<String> lines = shell.run("onos:mptcp-reoptimize --dry-run");
        assertEquals(1 + moved.subflows().size(), lines.size());
        assertTrue(lines.get(0).startsWith("CONNECTION "), lines.get(0));
        assertTrue(lines.get(1).startsWith(moved.id().value() + " "), lines.get(1));
        assertTrue(lines.get(1).contains(" > "), lines.get(1));
    }

    @Test
    void movesAsJson() throws Exception {
        Connection moved = mptcp.connections().get(0);
        FrameworkUtil.offer(BackgroundPlanService.class, () -> List.of(moved));
        assertEquals(moved.id().value(), shell.json("onos:mptcp-reoptimize --dry-run -j").at("/0/id").asText());
    }

    @Test
    void onlyOneConnectionIfItIsNamed() throws Exception {
        Connection moved = mptcp.connections().get(0);
        Connection other = mptcp.connections().get(1);
        FrameworkUtil.offer(BackgroundPlanService.class, () -> List.of(moved, other));
        assertEquals(List.of(other.id().value()),
                     shell.json("onos:mptcp-reoptimize --dry-run -j " + other.id()).findValuesAsText("id"));
        assertEquals("No MPTCP connection has the id nobody; mptcp-connections -a lists them",
                     shell.error("onos:mptcp-reoptimize --dry-run nobody"));
        assertTrue(shell.completed("mptcp-reoptimize --dry-run ").contains(moved.id().value()));
    }

    @Test
    void withoutTheOptionConnectionsMove() throws Exception {
        Connection moved = mptcp.connections().get(1);
        List<Optional<ConnectionId>> asked = new ArrayList<>();
        FrameworkUtil.offer(ReoptimisationService.class, only -> {
            asked.add(only);
            return List.of(moved);
        });
        assertTrue(shell.run("onos:mptcp-reoptimize").get(1).startsWith(moved.id().value() + " "));
        assertEquals(moved.id().value(), shell.json("onos:mptcp-reoptimize -j " + moved.id()).at("/0/id").asText());
        assertEquals(List.of(Optional.empty(), Optional.of(moved.id())), asked);
        assertEquals("No MPTCP connection has the id nobody; mptcp-connections -a lists them",
                     shell.error("onos:mptcp-reoptimize nobody"));
        assertEquals(2, asked.size());
    }
}
