// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.topology.Nets;

/** Newcomers whose paths were chosen before anybody's wishes were known, and which are looked at again once they are. */
class SecondLookTest {
    private static final Rates TRANSFER = Rates.of(4.9e6, 0.05e6);
    private static final Rates NEXT_TO_NOTHING = Rates.of(1e3, 1e3);

    private final Stage stage = new Stage();
    private long sample;

    @BeforeEach
    void oneSubflowEach() {
        stage.settings = Settings.builder().strategy("widest-disjoint").subflows(1).idleSeconds(3600).build();
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void twoThatHaveMetPart() {
        meet("one", "other");
        for (int look = 0; look < 2; look++) {
            learn(TRANSFER, "one", "other");
            stage.lifecycle.tick(look);
            stage.installed();
            assertEquals(1, middles("one", "other").size(), "what they want is not known yet");
        }
        learn(TRANSFER, "one", "other");
        tickUntilInstalled();

        assertEquals(2, middles("one", "other").size());
        assertEquals(10e6, connection("one").expected().up(), 1e3);
        assertEquals(10e6, connection("other").expected().up(), 1e3);
        assertEquals(1, stage.events.stream().filter(event -> event.type() == Type.REROUTED).count(), "only one has moved");
    }

    @Test
    void theOneThatMovesDoesSoWithoutAGap() {
        meet("one", "other");
        known(TRANSFER, "one", "other");
        stage.lifecycle.tick(0);

        assertEquals(1, stage.submitted.values().stream().filter(intent -> !intent.tails().isEmpty()).count(),
                     "the new rules, beside the old ones");
        assertEquals(1, middles("one", "other").size());
    }

    @Test
    void oneThatWantsNextToNothingStays() {
        meet("one", "other");
        known(NEXT_TO_NOTHING, "one", "other");
        tickUntilInstalled();

        assertEquals(1, middles("one", "other").size());
    }

    @Test
    void aPathThatOnlyTheSilentHaveIsFree() {
        // Each of the three paths has one that seems to want all of it; the transfers find no better ones, and meet.
        List.of("a", "b", "c").forEach(this::open);
        assertEquals(3, middles("a", "b", "c").size());
        meet("one", "other");
        known(NEXT_TO_NOTHING, "a", "b", "c");
        known(TRANSFER, "one", "other");
        tickUntilInstalled();

        assertEquals(2, middles("one", "other").size());
        assertTrue(connection("one").expected().up() > 9.5e6, "next to all of it");
    }

    @Test
    void whatMeetsLaterHasBeenChosenKnowingly() {
        open("one");
        open("other");
        known(TRANSFER, "one", "other");
        tickUntilInstalled();
        putOnThePathOf("one", "other");
        tickUntilInstalled();
        assertEquals(2, middles("one", "other").size(), "within the time for which newcomers are looked at");

        stage.millis = Reoptimiser.DUE_MILLIS + 1;
        stage.lifecycle.tick(stage.millis);
        putOnThePathOf("one", "other");
        tickUntilInstalled();
        assertEquals(1, middles("one", "other").size());
    }

    @Test
    void oneThatWasIdleIsANewcomerAgain() {
        meet("one", "other");
        stage.provisioner.park(List.of(connection("other")));
        stage.demands.rest(ConnectionId.of("other"));
        known(TRANSFER, "one");
        stage.millis = Reoptimiser.DUE_MILLIS + 1;
        tickUntilInstalled();
        stage.lifecycle.tick(2 * stage.millis);
        stage.millis *= 2;

        stage.admission.woken(ConnectionId.of("other"));
        stage.installed();
        putOnThePathOf("one", "other");
        known(TRANSFER, "other");
        tickUntilInstalled();
        assertEquals(2, middles("one", "other").size());
    }

    @Test
    void looksTakeNoMoreThanTheirPartOfTheTime() {
        meet("one", "other");
        known(TRANSFER, "one", "other");
        List<Long> looks = new ArrayList<>();
        long[] nanos = {0};
        // Every look at the clock is 100 ms after the one before: at the end of each look and of each connection.
        stage.nanoClock = () -> nanos[0] += 100_000_000;
        for (int tick = 0; tick < 30; tick++) {
            long before = nanos[0];
            stage.lifecycle.tick(tick * 1000L);
            if (nanos[0] > before) {
                looks.add((long) tick);
            }
        }
        assertTrue(looks.size() >= 3, "they go on: " + looks);
        assertTrue(looks.size() <= 30 / 2, "200 ms of 50 ms per second: " + looks);
    }

    private Connection open(String name) {
        int port = 2000 + stage.store.all().size();
        Connection opened = stage.openAnother(name, port);
        stage.installed();
        return opened;
    }

    /** Two connections begin, and are on one path, as if each had been chosen without knowing of the other. */
    private void meet(String one, String other) {
        open(one);
        open(other);
        putOnThePathOf(one, other);
        assertEquals(1, middles(one, other).size());
    }

    private void putOnThePathOf(String one, String other) {
        Connection there = connection(one);
        stage.provisioner.place(connection(other).mapSubflows(subflow -> subflow.withRoute(
                there.first().state(), there.first().path(), there.first().reversePath(), Nets.CAPACITY)));
        stage.provisioner.share();
        stage.installed();
    }

    private void known(Rates sent, String... names) {
        for (int i = 0; i < 3; i++) {
            learn(sent, names);
        }
    }

    private void learn(Rates sent, String... names) {
        sample++;
        for (String name : names) {
            Connection connection = connection(name);
            stage.demands.update(connection, new Measurement(Map.of(connection.first().tuple(), sent), sample), sample,
                                 true, link -> false);
        }
        stage.provisioner.share();
    }

    private void tickUntilInstalled() {
        for (int step = 0; step < 3; step++) {
            stage.lifecycle.tick(stage.millis);
            stage.installed();
        }
    }

    private Connection connection(String name) {
        return stage.store.get(ConnectionId.of(name)).get();
    }

    private Set<DeviceId> middles(String... names) {
        return List.of(names).stream()
                .map(name -> connection(name).first().devices().get(1))
                .collect(Collectors.toSet());
    }
}
