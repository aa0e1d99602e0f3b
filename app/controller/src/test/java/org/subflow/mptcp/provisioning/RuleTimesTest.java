// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

class RuleTimesTest {
    private final Stage stage = new Stage();
    private final RuleTimes times = new RuleTimes();

    @Test
    void aSubflowWaitsFromItsHandshakeToItsRules() {
        Connection connection = stage.open();
        times.waits(connection.first().tuple(), millis(100));
        assertEquals(0, times.counters().get("rules.subflows"));

        times.installed(connection, millis(125));
        assertEquals(1, times.counters().get("rules.subflows"));
        assertEquals(25_000, times.counters().get("rules.median-micros"));

        times.installed(connection, millis(300));
        assertEquals(1, times.counters().get("rules.subflows"), "installed again: it had them already");
    }

    @Test
    void aNewerSubmissionBringsTheRulesOfAnOlderOne() {
        times.waits(Stage.tuple("10.0.0.1", 1000), millis(0));
        stage.open();
        times.waits(Stage.tuple("10.0.0.11", 1001), millis(10));

        times.installed(stage.join(1), millis(30));
        assertEquals(2, times.counters().get("rules.subflows"));
        assertEquals(30_000, times.counters().get("rules.p95-micros"));
    }

    @Test
    void aSubmissionDoesNotBringTheRulesOfASubflowThatFollows() {
        Connection before = stage.open();
        times.waits(Stage.tuple("10.0.0.11", 1001), millis(10));
        times.installed(before, millis(30));
        assertEquals(0, times.counters().get("rules.subflows"));
    }

    @Test
    void aSubflowThatLosesItsPathWaitsFromOnossReportToTheRulesOnTheNext() {
        Connection before = stage.open();
        times.reported(millis(100));
        times.reported(millis(105));
        times.look();
        Connection after = before.mapSubflows(subflow -> subflow.withRoute(
                SubflowState.ACTIVE, List.of(Nets.link(1, 4), Nets.link(4, 5)), List.of(Nets.link(5, 4), Nets.link(4, 1)), 10e6));
        times.rerouted(before, after);
        times.installed(after, millis(140));

        DurationHistogram reroutes = times.histogram(Wait.REROUTE);
        assertEquals(0.04, reroutes.sum(), 1e-9, "from the first report");
        assertEquals(1, reroutes.counts()[Arrays.binarySearch(reroutes.bounds(), 0.05)]);
        assertEquals(0, times.histogram(Wait.SETUP).sum());
    }

    @Test
    void whoKeepsAPathOrHasNoneWaitsForNoRules() {
        Connection connection = stage.open();
        times.reported(0);
        times.look();
        times.rerouted(connection, connection);
        times.rerouted(connection, connection.mapSubflows(subflow -> subflow.withoutRoute(SubflowState.DOWN)));
        times.installed(connection, millis(1));
        assertEquals(0, Arrays.stream(times.histogram(Wait.REROUTE).counts()).sum());
    }

    @Test
    void aPathThatIsLostAgainBeforeItsRulesProlongsTheWait() {
        Connection before = stage.open();
        Connection after = before.mapSubflows(subflow -> subflow.withRoute(
                SubflowState.ACTIVE, List.of(Nets.link(1, 4), Nets.link(4, 5)), List.of(Nets.link(5, 4), Nets.link(4, 1)), 10e6));
        times.reported(millis(0));
        times.look();
        times.rerouted(before, after);
        times.reported(millis(500));
        times.look();
        times.rerouted(after, before);
        times.installed(before, millis(600));
        assertEquals(0.6, times.histogram(Wait.REROUTE).sum(), 1e-9);
    }

    @Test
    void everyDurationIsInOneBucket() {
        Connection connection = stage.open();
        for (long millis : new long[] {0, 1, 2, 100, 101, 60_000}) {
            times.waits(connection.first().tuple(), 0);
                times.installed(connection, millis(millis));
        }
        DurationHistogram setups = times.histogram(Wait.SETUP);
        assertArrayEquals(new long[] {2, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1}, setups.counts());
        assertEquals(60.204, setups.sum(), 1e-9);
    }

    private static long millis(long value) {
        return TimeUnit.MILLISECONDS.toNanos(value);
    }
}
