// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.placement.search.PathPlacement;
import org.subflow.mptcp.reoptimisation.PathReviews;
import org.subflow.mptcp.reoptimisation.Reoptimiser;
import org.subflow.mptcp.routing.Translation;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** New connections whose paths were chosen before any demand was known. Their paths are reviewed once the demands are known. */
class SecondLookTest {
    private static final Rates TRANSFER = Rates.of(4.9e6, 0.05e6);
    private static final Rates NEXT_TO_NOTHING = Rates.of(1e3, 1e3);

    private final Stage stage = new Stage();
    private long sample;

    @BeforeEach
    void oneSubflowEach() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint").with(Settings.SUBFLOWS, 1)
                .with(Settings.IDLE_SECONDS, 3600);
    }

    @Test
    void twoThatHaveMetPart() {
        meet("one", "other");
        for (int look = 0; look < 2; look++) {
            learn(TRANSFER, "one", "other");
            stage.tick(look);
            stage.installed();
            assertEquals(1, middles("one", "other").size(), "their demands are not known yet");
        }
        learn(TRANSFER, "one", "other");
        tickUntilInstalled();

        assertEquals(2, middles("one", "other").size());
        assertEquals(10e6, connection("one").expected().up(), 1e3);
        assertEquals(10e6, connection("other").expected().up(), 1e3);
        assertEquals(1, stage.told(Type.REROUTED), "only one has moved");
    }

    @Test
    void oneWithAlmostNoDemandStays() {
        meet("one", "other");
        known(NEXT_TO_NOTHING, "one", "other");
        tickUntilInstalled();

        assertEquals(1, middles("one", "other").size());
    }

    @Test
    void aPathThatOnlyTheSilentHaveIsFree() {
        // Each of the three paths has a connection with unknown demand; the transfers find no better path, and meet.
        List.of("a", "b", "c").forEach(this::open);
        assertEquals(3, middles("a", "b", "c").size());
        meet("one", "other");
        known(NEXT_TO_NOTHING, "a", "b", "c");
        known(TRANSFER, "one", "other");
        tickUntilInstalled();

        assertEquals(2, middles("one", "other").size());
        assertTrue(connection("one").expected().up() > 9.5e6, "next to all of it");
    }

    /**
     * One connection that could fill both has the paths 1–2–5 and 1–4–3–5; a second one also has the latter. The new
     * connection took the long path, where more residual bandwidth seemed available than half of 1–2–5.
     */
    @Test
    void aLongWayRoundIsLeftIfAllShareAsWellWithoutIt() {
        stage.cut(1, 3);
        stage.cut(4, 5);
        stage.mend(3, 4);
        for (int[] link : new int[][] {{1, 4}, {4, 3}, {3, 5}}) {
            stage.capacities.put(Nets.link(link[0], link[1]), 11e6);
            stage.capacities.put(Nets.link(link[1], link[0]), 11e6);
        }
        stage.open();
        stage.join(1);
        put(Stage.ID, 0, 2);
        put(Stage.ID, 1, 4, 3);
        open("second");
        put(ConnectionId.of("second"), 0, 4, 3);
        // That little comes back is known of them, but not yet what they send.
        learn(TRANSFER, Stage.ID.toString(), "second");
        open("newcomer");
        put(ConnectionId.of("newcomer"), 0, 4, 3);
        known(Rates.of(5.4e6, 0.05e6), "newcomer");
        Connection before = connection("newcomer");
        assertEquals(5.5e6, before.expected().up(), 1e3);
        Translation now = stage.model.now();
        PlacedSubflow widest = PathPlacement.move(now.state(stage.provisioner.live()), now.placed(before), 0);
        assertEquals(before.first().path(), now.subflow(before.first(), widest).path(), "it is the widest");
        tickUntilInstalled();
        assertEquals(before.first().path(), connection("newcomer").first().path(), "what the others send may yet be known");
        stage.millis = PathReviews.WAIT_MILLIS;
        tickUntilInstalled();

        assertEquals(path(2), connection("newcomer").first().path());
        List.of("second", "newcomer", Stage.ID.toString()).forEach(
                name -> assertEquals(7e6, connection(name).expected().up(), 1e3));
    }

    @Test
    void whatMeetsLaterHasBeenChosenKnowingly() {
        open("one");
        open("other");
        known(TRANSFER, "one", "other");
        tickUntilInstalled();
        putOnThePathOf("one", "other");
        tickUntilInstalled();
        assertEquals(1, middles("one", "other").size());
    }

    @Test
    void oneThatWasIdleIsANewcomerAgain() {
        meet("one", "other");
        stage.provisioner.makeIdle(List.of(connection("other")));
        stage.demands.rest(ConnectionId.of("other"));
        known(TRANSFER, "one");
        tickUntilInstalled();

        stage.resumptions.woken(ConnectionId.of("other"), stage.store.get(ConnectionId.of("other")).get().first().tuple());
        stage.installed();
        putOnThePathOf("one", "other");
        known(TRANSFER, "other");
        tickUntilInstalled();
        assertEquals(2, middles("one", "other").size());
    }

    @Test
    void looksTakeNoMoreThanTheirPartOfTheTime() {
        open("one");
        open("other");
        stage.changes.networkChanged(0);
        stage.cut(1, 2);
        stage.changes.networkChanged(0);
        stage.mend(1, 2);
        stage.changes.networkChanged(0);
        stage.installed();
        List<Long> looks = new ArrayList<>();
        long[] nanos = {0};
        // Every look at the clock is 100 ms after the one before: at the end of each look and of each connection.
        stage.nanoClock = () -> nanos[0] += 100_000_000;
        for (long millis = Reoptimiser.STILL_MILLIS; millis < Reoptimiser.LOOK_MILLIS; millis += 1000) {
            long before = nanos[0];
            stage.tick(millis);
            stage.installed();
            if (nanos[0] > before) {
                looks.add(millis);
            }
        }
        assertTrue(looks.size() >= 3, "they go on: " + looks);
        assertTrue(looks.size() <= 28 / 4, "at least 200 ms of 50 ms per second: " + looks);
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
        stage.provisioner.apply(List.of(connection(other).mapSubflows(subflow -> subflow.withRoute(
                there.first().state(), there.first().path(), there.first().reversePath(), Nets.CAPACITY))), Type.OPENED);
        stage.installed();
    }

    private void put(ConnectionId id, int subflow, int... middles) {
        Connection connection = stage.store.get(id).get();
        List<Link> path = path(middles);
        List<Link> back = path.stream()
                .map(link -> Nets.link(number(link.dst().deviceId()), number(link.src().deviceId())))
                .collect(Collectors.toList());
        Collections.reverse(back);
        stage.provisioner.apply(List.of(connection.mapSubflows(one -> one == connection.subflows().get(subflow)
                ? one.withRoute(SubflowState.ACTIVE, path, back, Nets.CAPACITY) : one)), Type.OPENED);
        stage.installed();
    }

    private static List<Link> path(int... middles) {
        List<Link> links = new ArrayList<>();
        int at = 1;
        for (int middle : middles) {
            links.add(Nets.link(at, middle));
            at = middle;
        }
        links.add(Nets.link(at, 5));
        return links;
    }

    private static int number(DeviceId device) {
        return Integer.parseInt(device.toString().substring("of:".length()));
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
        stage.share();
    }

    private void tickUntilInstalled() {
        for (int step = 0; step < 3; step++) {
            stage.tick(stage.millis);
            stage.installed();
        }
    }

    private Connection connection(String name) {
        return stage.store.get(ConnectionId.of(name)).get();
    }

    private Set<DeviceId> middles(String... names) {
        return List.of(names).stream()
                .map(name -> Stage.middle(connection(name).first()))
                .collect(Collectors.toSet());
    }
}
