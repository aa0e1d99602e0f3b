// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.util.Bandwidth;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.Link;
import org.onosproject.net.intent.Key;
import org.onosproject.net.resource.Resources;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.topology.Nets;

/** Other traffic on links, and the expected throughputs that it leaves. */
class OtherTrafficTest extends SharesScenario {
    @Test
    void otherTrafficIsOneMoreCompetitorLimitedByWhatItSends() {
        stage.cut(3, 5);
        stage.cut(4, 5);
        Connection connection = stage.open();
        Map<Link, Double> ports = new HashMap<>();
        ports.put(Nets.link(1, 2), 3e6);
        settle(connection, ports);
        stage.share();
        assertEquals(7e6, stage.connection().expected().up(), 0.2e6);

        ports.put(Nets.link(1, 2), 9e6);
        settle(connection, ports);
        stage.share();
        assertEquals(5e6, stage.connection().expected().up(), 0.2e6, "it is not given more than a fair share");
        assertEquals(10e6, stage.connection().expected().down(), ROUNDING, "the other direction is free");
    }

    @ParameterizedTest
    @ValueSource(strings = {"widest-disjoint", "resource-pool"})
    void newcomersKeepOffLinksThatOthersUse(String strategy) {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, strategy).with(Settings.SUBFLOWS, 2);
        settle(Map.of(Nets.link(1, 3), 7e6, Nets.link(5, 4), 1e6));
        stage.open();
        Connection connection = stage.join(1);
        assertEquals(Set.of(Nets.link(1, 2), Nets.link(1, 4)), firstLinks(connection));

        settle(Map.of(Nets.link(1, 3), 0.0, Nets.link(4, 1), 6e6));
        stage.provisioner.close(List.of(connection), Cause.ENDED);
        stage.open();
        assertEquals(Set.of(Nets.link(1, 2), Nets.link(1, 3)), firstLinks(stage.join(1)), "in either direction");
    }

    @ParameterizedTest
    @ValueSource(strings = {"widest-disjoint", "resource-pool"})
    void noLinkBecomesUnusable(String strategy) {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, strategy).with(Settings.SUBFLOWS, 3);
        settle(Map.of(Nets.link(1, 3), 10e6));
        stage.open();
        stage.join(1);
        assertEquals(Set.of(Nets.link(1, 2), Nets.link(1, 3), Nets.link(1, 4)), firstLinks(stage.join(2)));
    }

    @Test
    void otherTrafficMovesNoConnection() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint").with(Settings.SUBFLOWS, 2);
        stage.open();
        Connection before = stage.join(1);
        stage.installed();
        settle(Map.of(before.first().path().get(0), 9e6));
        stage.changes.networkChanged(0);
        for (int i = 0; i < 40; i++) {
            stage.tick(1000L * i);
        }
        assertEquals(firstLinks(before), firstLinks(stage.connection()));
    }

    private static Set<Link> firstLinks(Connection connection) {
        return connection.subflows().stream().map(subflow -> subflow.path().get(0)).collect(Collectors.toSet());
    }

    @Test
    void aLittleOtherTrafficIsNoise() {
        Connection connection = stage.open();
        settle(connection, Map.of(Nets.link(1, 2), 0.4e6));
        assertEquals(0, stage.others.on(Nets.link(1, 2)));
    }

    @Test
    void onALinkWithYoungCountersNothingIsLearned() {
        Connection connection = stage.open();
        boolean moved = false;
        for (int i = 0; i < 20; i++) {
            moved |= second(connection, null, link -> 9e6);
        }
        assertTrue(moved, "on the other links it is");
        connection.first().path().forEach(link -> assertEquals(0, stage.others.on(link)));
        assertEquals(9e6, stage.others.on(Nets.link(3, 1)), ROUNDING);
    }

    @Test
    void whatOthersReserveIsLeftToThem() {
        Key other = Key.of("another", new DefaultApplicationId(8, "another"));
        stage.ledger.allocate(other, List.of(
                Resources.continuous(Nets.device(1), Nets.port(1, 2).port(), Bandwidth.class).resource(6e6)));
        stage.reservationKeeper.lookAtOthers();
        stage.open();
        stage.join(1);
        Connection connection = stage.join(2);

        assertEquals(24e6, connection.expected().up(), ROUNDING);
        assertEquals(30e6, connection.expected().down(), ROUNDING);
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);

        // What they send within it is no competitor besides.
        settle(connection, Map.of(Nets.link(1, 2), 5e6));
        assertEquals(0, stage.others.on(Nets.link(1, 2)), ROUNDING);

        stage.ledger.release(other);
        stage.reservationKeeper.lookAtOthers();
        stage.share();
        assertEquals(10e6, stage.unreserved.snapshot().capacity(Nets.link(1, 2)));
    }

    @Test
    void noLinkCarriesMoreThanItsCapacity() {
        settle(stage.open(), Map.of(Nets.link(4, 5), 1e18));
        assertEquals(Nets.CAPACITY, stage.others.on(Nets.link(4, 5)));
    }

    @Test
    void aLinkThatIsGoneIsForgotten() {
        settle(stage.open(), Map.of(Nets.link(4, 5), 5e6));
        assertEquals(5e6, stage.others.on(Nets.link(4, 5)), ROUNDING);

        stage.cut(4, 5);
        settle(stage.connection(), Map.of());
        assertEquals(0, stage.others.on(Nets.link(4, 5)));
    }
}
