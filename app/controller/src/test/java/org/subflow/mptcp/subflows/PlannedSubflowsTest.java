// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.host.report.HostViewBench;
import org.subflow.mptcp.wiring.Stage;

/** A subflow whose path is dead while others of its connection have one. */
class PlannedSubflowsTest {
    private final Stage stage = new Stage();
    private final PlannedSubflows plan = new PlannedSubflows();
    private long now = 1000;

    private Set<FiveTuple> settle(Connection connection, FiveTuple... present) {
        now += 1000;
        return plan.settle(connection, Optional.of(HostViewBench.view(now, present)), now);
    }

    private static Connection dead(Connection connection, FiveTuple tuple) {
        return connection.mapSubflows(subflow -> subflow.tuple().equals(tuple)
                ? subflow.withoutRoute(SubflowState.DOWN) : subflow);
    }

    @Test
    void theClientClosesItAndItIsForgottenOnceItIsGone() {
        stage.open();
        Connection both = stage.join(1);
        FiveTuple first = both.first().tuple();
        FiveTuple other = both.subflows().get(1).tuple();
        plan.add(other, now);
        settle(both, first, other);
        Connection dead = dead(both, other);
        settle(dead, first, other);
        assertEquals(List.of(), plan.command().drop, "it may come back in a moment");
        settle(dead, first, other);
        settle(dead, first, other);
        assertEquals(List.of(other), plan.command().drop);
        settle(dead, first);
        settle(dead, first);
        assertEquals(Set.of(other), settle(dead, first));
    }

    @Test
    void theFirstOneIsClosedToo() {
        stage.open();
        Connection both = stage.join(1);
        FiveTuple[] all = {both.first().tuple(), both.subflows().get(1).tuple()};
        settle(both, all);
        for (int second = 0; second < 3; second++) {
            settle(dead(both, all[0]), all);
        }
        assertEquals(List.of(all[0]), plan.command().drop);
        settle(dead(both, all[0]), all[1]);
        settle(dead(both, all[0]), all[1]);
        assertEquals(Set.of(all[0]), settle(dead(both, all[0]), all[1]));
        assertEquals(List.of(), plan.command().drop);
    }

    @Test
    void aPathThatIsBackInTimeKeepsIt() {
        stage.open();
        Connection both = stage.join(1);
        FiveTuple[] all = {both.first().tuple(), both.subflows().get(1).tuple()};
        plan.add(all[1], now);
        settle(dead(both, all[1]), all);
        settle(both, all);
        settle(dead(both, all[1]), all);
        settle(dead(both, all[1]), all);
        assertEquals(List.of(), plan.command().drop);
    }

    @Test
    void aConnectionWithoutAnyPathKeepsItsSubflows() {
        stage.open();
        Connection both = stage.join(1);
        FiveTuple[] all = {both.first().tuple(), both.subflows().get(1).tuple()};
        plan.add(all[1], now);
        for (int second = 0; second < 30; second++) {
            assertEquals(Set.of(), settle(dead(dead(both, all[0]), all[1]), all));
        }
        assertEquals(List.of(), plan.command().drop);
    }

    @Test
    void anotherPathIsLookedForFiveSecondsAfterALossAndNotBefore() {
        stage.open();
        Connection both = stage.join(1);
        FiveTuple[] all = {both.first().tuple(), both.subflows().get(1).tuple()};
        settle(both, all);
        plan.hasAll(now);
        settle(both, all);
        assertFalse(plan.mayMiss(now + 1_000_000), "nothing has changed");
        settle(both.withSubflows(both.subflows().subList(0, 1)), all[0]);
        assertFalse(plan.mayMiss(now + 4999));
        assertTrue(plan.mayMiss(now + 5000));
        settle(both, all);
        plan.hasAll(now);
        assertFalse(plan.mayMiss(now + 2999), "the path of the lost one is the only further one");
        assertTrue(plan.mayMiss(now + 4000));
        plan.hasAll(now + 4000);
        assertFalse(plan.mayMiss(now + 1_000_000));
        plan.waits(now);
        assertFalse(plan.mayMiss(now + 4999));
        assertTrue(plan.mayMiss(now + 5000));
    }

    /** A path for one that has not come carries nothing. */
    @Test
    void theOnlySubflowThatIsThereIsNotClosedForOneThatHasNotCome() {
        stage.open();
        Connection both = stage.join(1);
        FiveTuple[] all = {both.first().tuple(), both.subflows().get(1).tuple()};
        plan.add(all[1], now);
        for (int second = 0; second < 5; second++) {
            settle(dead(both, all[0]), all[0]);
        }
        assertEquals(List.of(), plan.command().drop);
    }
}
