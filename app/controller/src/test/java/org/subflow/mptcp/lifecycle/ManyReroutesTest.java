// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** A thousand connections on a fat tree lose a link. It prints how long the loop takes to find
 * the new paths, in processor time. */
class ManyReroutesTest {
    private static final int CONNECTIONS = 1000;
    private static final int SWITCHES = 20;
    private static final int FAILURES = 4;
    /** The edge switches of each pair of hosts. */
    private static final int[][] PAIRS = {{13, 15}, {17, 19}, {14, 18}, {16, 20}};
    private Stage stage;

    @BeforeEach
    void connect() {
        stage = new Stage(SWITCHES, Nets.bothWays(fatTree()));
        stage.steady = true;
        stage.settings = Settings.DEFAULTS.with(Settings.SUBFLOWS, 2);
        stage.shares = task -> () -> { };
        stage.bookings = task -> () -> { };
        stage.start();
        for (int[] pair : PAIRS) {
            stage.attach(String.format("00:00:00:00:00:%02x", pair[0]), Nets.edge(pair[0]), "10.0.0." + pair[0],
                         "10.0.1." + pair[0]);
            stage.attach(String.format("00:00:00:00:00:%02x", pair[1]), Nets.edge(pair[1]), "10.0.0." + pair[1]);
        }
        for (int number = 0; number < CONNECTIONS; number++) {
            int[] pair = PAIRS[number % PAIRS.length];
            ConnectionId id = ConnectionId.of("c" + number);
            IpAddress server = IpAddress.valueOf("10.0.0." + pair[1]);
            FiveTuple first = FiveTuple.of(IpAddress.valueOf("10.0.0." + pair[0]), 1000 + number, server, 5201);
            FiveTuple second = FiveTuple.of(IpAddress.valueOf("10.0.1." + pair[0]), 1000 + number, server, 5201);
            stage.admission.opened(id, Opening.of(first, List.of()), 1, Token.of(number), Token.of(number + CONNECTIONS), number);
            stage.joins.joined(id, new Join(second, Direction.UP, false));
            stage.demands.rest(id);
            if (number % 50 == 0) {
                stage.share();
            }
        }
        stage.share();
        stage.installed();
    }

    @Test
    void haveNewPathsInAMoment() {
        for (int failure = 0; failure < FAILURES; failure++) {
            Link link = busiest();
            Set<ConnectionId> affected = stage.store.live().stream().filter(one -> isOn(one, link)).map(Connection::id)
                    .collect(Collectors.toSet());
            assertTrue(affected.size() >= CONNECTIONS / 16, affected.size() + " connections on the busiest of 16 links");
            change(() -> stage.cut(from(link), to(link)));
            long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            stage.changes.networkChanged(++stage.millis);
            long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun;
            System.out.printf(Locale.ROOT, "new paths of %d of %d connections: %d ms%n", affected.size(), CONNECTIONS,
                              TimeUnit.NANOSECONDS.toMillis(took));
            stage.installed();
            for (Connection one : stage.store.live()) {
                assertFalse(isOn(one, link), one::toString);
                assertEquals(2, one.subflows().stream().filter(Subflow::isRouted).count(), one::toString);
            }
            change(() -> stage.mend(from(link), to(link)));
            stage.changes.networkChanged(++stage.millis);
        }
    }

    /** Changes links, of which the stage makes a new snapshot only then. */
    private void change(Runnable links) {
        links.run();
        stage.steady = false;
        stage.snapshot();
        stage.steady = true;
    }

    private static int from(Link link) {
        return Stage.number(link.src().deviceId());
    }

    private static int to(Link link) {
        return Stage.number(link.dst().deviceId());
    }

    private Link busiest() {
        Map<Link, Integer> taken = new HashMap<>();
        stage.store.live().forEach(one -> one.subflows().forEach(subflow -> subflow.path().stream().skip(1).limit(2)
                .forEach(link -> taken.merge(link, 1, Integer::sum))));
        return taken.entrySet().stream().max(Map.Entry.comparingByValue()).get().getKey();
    }

    private static boolean isOn(Connection connection, Link link) {
        return connection.subflows().stream().anyMatch(subflow -> subflow.path().contains(link)
                || subflow.reversePath().contains(link));
    }

    private static int[][] fatTree() {
        int[][] links = new int[32][];
        int next = 0;
        for (int pod = 0; pod < 4; pod++) {
            for (int agg = 0; agg < 2; agg++) {
                int aggregation = 5 + 2 * pod + agg;
                links[next++] = new int[] {1 + 2 * agg, aggregation};
                links[next++] = new int[] {2 + 2 * agg, aggregation};
                links[next++] = new int[] {aggregation, 13 + 2 * pod};
                links[next++] = new int[] {aggregation, 14 + 2 * pod};
            }
        }
        return links;
    }
}
