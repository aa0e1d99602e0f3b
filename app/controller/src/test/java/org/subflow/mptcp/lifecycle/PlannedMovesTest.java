// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Two living connections move, one after the other, where only both moves together gain. */
class PlannedMovesTest {
    private static final String FIRST = "first";
    private static final String SECOND = "second";

    /** "first" goes from 1 to 4 over 2 and 3, or over 5, 9 and 10. "second" goes from 6 to 7 over 2 and 3, or over 8. */
    private final Stage stage = new Stage(10, Nets.bothWays(new int[][] {
            {1, 2}, {2, 3}, {3, 4}, {1, 5}, {5, 9}, {9, 10}, {10, 4}, {6, 2}, {3, 7}, {6, 8}, {8, 7}}));

    @Test
    void aPlanIsMadeOneMoveAfterTheOther() {
        open(16);
        List<String> seen = new ArrayList<>();
        for (int second = 0; second < 20; second++) {
            stage.pass(1);
            String now = path(FIRST) + " " + path(SECOND);
            if (seen.isEmpty() || !now.equals(seen.get(seen.size() - 1))) {
                seen.add(now);
            }
        }
        assertEquals(List.of("1-2-3-4 6-8-7", "1-5-9-10-4 6-8-7", "1-5-9-10-4 6-2-3-7"), seen);
        assertEquals(10e6, connection(SECOND).expected().up(), 1e3);
        assertEquals(2, stage.told(Type.REROUTED));
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
    }

    @Test
    void aSettingLimitsHowManyConnectionsArePlannedFor() {
        open(1);
        stage.pass(20);
        assertEquals("1-2-3-4 6-8-7", path(FIRST) + " " + path(SECOND));
    }

    @Test
    void aDryRunSaysWhatWouldMoveAndMovesNothing() {
        open(16);
        List<Connection> moves = stage.whatIf.plan(stage.provisioner.live(), stage.settings);
        assertEquals(List.of(FIRST, SECOND),
                     moves.stream().map(connection -> connection.id().value()).collect(Collectors.toList()));
        assertEquals("1-5-9-10-4", path(moves.get(0)));
        assertEquals(10e6, moves.get(1).expected().up(), 1e3);
        assertEquals("1-2-3-4 6-8-7", path(FIRST) + " " + path(SECOND));
        Settings fewer = Settings.DEFAULTS.with(Settings.BACKGROUND_PLAN, 1);
        assertEquals(List.of(), stage.whatIf.plan(stage.provisioner.live(), fewer));
    }

    @Test
    void aPlanEndsWithTheNetworkThatItWasMadeFor() {
        open(16);
        while (path(FIRST).equals("1-2-3-4")) {
            stage.pass(1);
        }
        stage.cut(6, 2);
        stage.changes.networkChanged(stage.millis);
        stage.pass(20);
        assertEquals("1-5-9-10-4 6-8-7", path(FIRST) + " " + path(SECOND));
    }

    private void open(int backgroundPlan) {
        stage.settings = Settings.DEFAULTS.with(Settings.SUBFLOWS, 1).with(Settings.BACKGROUND_PLAN, backgroundPlan)
                .with(Settings.IDLE_SECONDS, 86_400);
        stage.capacities.put(Nets.link(6, 8), 6e6);
        stage.capacities.put(Nets.link(8, 6), 6e6);
        connect(FIRST, 1, 4, 1);
        connect(SECOND, 6, 7, 2);
        stage.store.all().forEach(this::sendsUpwardsWithoutLimit);
        stage.share();
        // Otherwise "second" would go from 2 to 1 and from 4 to 3, where "first" sends nothing.
        stage.capacities.put(Nets.link(2, 1), 1e6);
        assertEquals("1-2-3-4 6-8-7", path(FIRST) + " " + path(SECOND));
    }

    private void connect(String name, int from, int to, int number) {
        IpAddress server = IpAddress.valueOf("10.0.1." + number);
        stage.attach("00:00:00:00:01:0" + number, Nets.edge(from), "10.0.0." + number);
        stage.attach("00:00:00:00:02:0" + number, Nets.edge(to), server.toString());
        stage.open(name, server, 2000 + number, "10.0.0." + number);
    }

    /** The switches' counters show it in four samples. */
    private void sendsUpwardsWithoutLimit(Connection connection) {
        Map<FiveTuple, Rates> rates = Map.of(connection.first().tuple(), Rates.of(connection.expected().up(), 0));
        for (int sample = 1; sample <= 4; sample++) {
            stage.demands.update(connection, new Measurement(rates, sample), sample, true, link -> false);
        }
    }

    private Connection connection(String name) {
        return stage.store.get(ConnectionId.of(name)).orElseThrow();
    }

    private String path(String name) {
        return path(connection(name));
    }

    private static String path(Connection connection) {
        return connection.first().devices().stream().map(device -> Integer.toString(Stage.number(device)))
                .collect(Collectors.joining("-"));
    }
}
