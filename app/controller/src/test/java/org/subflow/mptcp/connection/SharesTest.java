// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.util.Bandwidth;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.Link;
import org.onosproject.net.intent.Key;
import org.onosproject.net.resource.Resources;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Policies;
import org.subflow.mptcp.api.Policy;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.measure.CounterSpan;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.PortCounter;

/** Demands, other traffic, and the expected throughputs that come of them. */
class SharesTest {
    private static final double ROUNDING = 1e3;

    private final Stage stage = new Stage();
    private final Map<Link, Double> sent = new HashMap<>();
    private final Set<Link> full = new HashSet<>();
    private long millis;
    private boolean counted = true;

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void theDemandOfAConnectionIsUnknownForTwoSamples() {
        Connection connection = stage.open();
        assertFalse(sample(connection, 1, Rates.of(1e6, 1e6)));
        assertFalse(sample(connection, 2, Rates.of(1e6, 1e6)));
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());

        assertTrue(sample(connection, 3, Rates.of(1e6, 1e6)));
        assertEquals(1.25e6, stage.demands.of(connection.id()).up(), 1);
    }

    @Test
    void aConnectionThatWasSilentForASecondDemandsLittle() {
        Connection connection = stage.open();
        counted = false;
        for (int i = 1; i <= 5; i++) {
            assertFalse(sample(connection, i, Rates.ZERO), "its packets may go by way of the controller");
        }
        counted = true;
        assertTrue(sample(connection, 6, Rates.of(20e3, 20e3)));
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).up());
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).down());

        stage.provisioner.share();
        assertEquals(Demand.FLOOR, stage.connection().expected().up(), ROUNDING);
        assertTrue(sample(stage.connection(), 7, Rates.of(0.3e6, 0)), "and has room as soon as it sends");
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).down());
    }

    @Test
    void tenSegmentsInASecondAreTheBeginningOfMore() {
        Connection connection = stage.open();
        assertTrue(sample(connection, 1, Rates.of(10 * 1460 * 8, 0)), "the other direction is silent");
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
        sample(connection, 2, Rates.ZERO);
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
    }

    @Test
    void aConnectionThatWakesDemandsLittleUntilItSends() {
        Connection connection = stage.open();
        known(connection, Rates.of(9.8e6, 9.8e6));
        stage.demands.rest(connection.id());
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).up());
        assertFalse(sample(connection, 3, Rates.of(9.8e6, 9.8e6)), "that is from before");

        stage.provisioner.share();
        assertTrue(sample(stage.connection(), 4, Rates.of(9.8e6, 0)));
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).down());
    }

    @Test
    void withoutASampleNothingIsLearned() {
        Connection connection = stage.open();
        assertFalse(sample(connection, 0, Rates.ZERO));
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
    }

    @Test
    void aSampleThatIsNotNewTeachesNothing() {
        Connection connection = stage.open();
        for (int i = 0; i < 5; i++) {
            assertFalse(sample(connection, 1, Rates.of(1e6, 1e6)));
        }
    }

    @Test
    void aConnectionThatFillsItsShareHasNoLimit() {
        Connection connection = stage.open();
        known(connection, Rates.of(9.8e6, 0.3e6));

        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
        assertEquals(1.25 * 0.3e6, stage.demands.of(connection.id()).down(), 1);
    }

    @Test
    void aSteadyConnectionBelowItsShareKeepsOneLimit() {
        Connection connection = stage.open();
        known(connection, Rates.of(2e6, 0));
        stage.provisioner.share();
        Connection limited = stage.connection();
        assertEquals(2.5e6, limited.expected().up(), ROUNDING);

        for (int i = 4; i < 20; i++) {
            assertFalse(sample(limited, i, Rates.of(2e6, 0)));
        }
    }

    @Test
    void aSampleThatIsLateOnceChangesNothing() {
        Connection connection = stage.open();
        known(connection, Rates.of(9.9e6, 0.3e6));
        stage.provisioner.share();
        Rates before = stage.connection().expected();

        // The switch had added up its counters half a second before: too little now, too much the next time.
        for (double part : new double[] {0.75, 1.25}) {
            sample(stage.connection(), part < 1 ? 4 : 5, Rates.of(part * 9.9e6, part * 0.3e6));
            stage.provisioner.share();
            assertEquals(before.up(), stage.connection().expected().up(), ROUNDING);
            assertEquals(before.down(), stage.connection().expected().down(), 0.3 * before.down());
        }
    }

    @Test
    void aConnectionThatWakesHasRoomAtOnceAndOneThatStopsGivesItBackSoon() {
        Connection connection = stage.open();
        known(connection, Rates.ZERO);
        stage.provisioner.share();
        assertTrue(sample(stage.connection(), 4, Rates.of(1e6, 0)));
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());

        stage.provisioner.share();
        for (int i = 5; i <= 7; i++) {
            sample(stage.connection(), i, Rates.ZERO);
        }
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).up());
    }

    @Test
    void demandBeyondFullLinksStillCounts() {
        stage.cut(3, 5);
        stage.cut(4, 5);
        stage.policies = Policies.of(List.of(Policy.named("heavy").weight(3).build()));
        Connection heavy = stage.open();
        stage.policies = Policies.NONE;
        Connection light = stage.openAnother("light", 2000);
        full.add(Nets.link(1, 2));

        // The hosts give each of the two a half; by weight their fair shares are 7.5 and 2.5.
        for (int i = 1; i <= 6; i++) {
            sample(stage.connection(), i, Rates.of(5e6, 0));
            sample(stage.store.get(light.id()).get(), i, Rates.of(5e6, 0));
            stage.provisioner.share();
        }
        assertEquals(7.5e6, stage.connection().expected().up(), ROUNDING);

        full.clear();
        for (int i = 7; i <= 9; i++) {
            sample(stage.connection(), i, Rates.of(5e6, 0));
        }
        assertEquals(6.25e6, stage.demands.of(heavy.id()).up(), 1, "it demands no more without a full link on its path");
    }

    @Test
    void anIdleSiblingOnTheSameLinksHoldsNextToNothing() {
        stage.cut(3, 5);
        stage.cut(4, 5);
        Connection idle = stage.open();
        Connection busy = stage.openAnother("busy", 2000);
        assertEquals(5e6, stage.store.get(busy.id()).get().expected().up(), ROUNDING);

        known(idle, Rates.ZERO);
        stage.provisioner.share();

        assertEquals(Demand.FLOOR, stage.connection().expected().up(), ROUNDING);
        assertEquals(10e6 - Demand.FLOOR, stage.store.get(busy.id()).get().expected().up(), ROUNDING);
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
    }

    @Test
    void otherTrafficIsOneMoreCompetitorLimitedByWhatItSends() {
        stage.cut(3, 5);
        stage.cut(4, 5);
        Connection connection = stage.open();
        Map<Link, Double> ports = new HashMap<>();
        ports.put(Nets.link(1, 2), 3e6);
        settle(connection, ports);
        stage.provisioner.share();
        assertEquals(7e6, stage.connection().expected().up(), 0.2e6);

        ports.put(Nets.link(1, 2), 9e6);
        settle(connection, ports);
        stage.provisioner.share();
        assertEquals(5e6, stage.connection().expected().up(), 0.2e6, "it is not given more than a fair share");
        assertEquals(10e6, stage.connection().expected().down(), ROUNDING, "the other direction is free");
    }

    @ParameterizedTest
    @ValueSource(strings = {"widest-disjoint", "resource-pool"})
    void newcomersKeepOffLinksThatOthersUse(String strategy) {
        stage.settings = Settings.builder().strategy(strategy).subflows(2).build();
        settle(Map.of(Nets.link(1, 3), 7e6, Nets.link(5, 4), 1e6));
        stage.open();
        Connection connection = stage.join(1);
        assertEquals(Set.of(Nets.link(1, 2), Nets.link(1, 4)), firstLinks(connection));

        settle(Map.of(Nets.link(1, 3), 0.0, Nets.link(4, 1), 6e6));
        stage.provisioner.close(List.of(connection));
        stage.open();
        assertEquals(Set.of(Nets.link(1, 2), Nets.link(1, 3)), firstLinks(stage.join(1)), "in either direction");
    }

    @ParameterizedTest
    @ValueSource(strings = {"widest-disjoint", "resource-pool"})
    void noLinkBecomesUnusable(String strategy) {
        stage.settings = Settings.builder().strategy(strategy).subflows(3).build();
        settle(Map.of(Nets.link(1, 3), 10e6));
        stage.open();
        stage.join(1);
        assertEquals(Set.of(Nets.link(1, 2), Nets.link(1, 3), Nets.link(1, 4)), firstLinks(stage.join(2)));
    }

    @Test
    void otherTrafficMovesNoConnection() {
        stage.settings = Settings.builder().strategy("widest-disjoint").subflows(2).build();
        stage.open();
        Connection before = stage.join(1);
        stage.installed();
        settle(Map.of(before.first().path().get(0), 9e6));
        stage.lifecycle.networkChanged(0);
        for (int i = 0; i < 40; i++) {
            stage.lifecycle.tick(1000L * i);
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
        stage.provisioner.share();
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

    /** As many seconds as it takes in which ports send at these rates, bit/s, and connections nothing. */
    private void settle(Map<Link, Double> ports) {
        for (int i = 0; i < 20; i++) {
            second(null, null, link -> ports.getOrDefault(link, 0.0));
        }
    }

    private void settle(Connection connection, Map<Link, Double> ports) {
        for (int i = 0; i < 20; i++) {
            second(connection, new CounterSpan(millis, 0, millis + 1000, 0), link -> ports.getOrDefault(link, 0.0));
        }
    }

    /** A second passes in which ports send at these rates, bit/s; both counters are read at its end. */
    private boolean second(Connection connection, CounterSpan rules, ToDoubleFunction<Link> ports) {
        millis += 1000;
        List<Connection> live = connection == null ? List.of() : List.of(connection);
        return stage.others.update(stage.snapshot(), live, (c, subflow, alongSyn) -> rules, link -> {
            double bytes = sent.merge(link, ports.applyAsDouble(link) / 8, Double::sum);
            return Optional.of(new PortCounter(millis, Math.round(bytes)));
        });
    }

    private void known(Connection connection, Rates measured) {
        for (int i = 1; i <= 3; i++) {
            sample(connection, i, measured);
        }
    }

    private boolean sample(Connection connection, long millis, Rates measured) {
        return stage.demands.update(connection, measurement(connection, measured), millis, counted, full::contains);
    }

    private static Measurement measurement(Connection connection, Rates rates) {
        Map<FiveTuple, Rates> bySubflow = new HashMap<>();
        bySubflow.put(connection.first().tuple(), rates);
        return new Measurement(bySubflow, 0);
    }
}
