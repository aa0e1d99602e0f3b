// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.monitoring.EndedConnection;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.api.monitoring.LifeEvent.Kind;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;

/** The life of connections, as it is told. */
class ConnectionHistoryTest {
    private static final ConnectionId ID = ConnectionId.of("c1");
    private static final Terms TERMS = Settings.DEFAULTS.terms();

    private long now = 1_000_000;
    private final ConnectionHistory history = new ConnectionHistory(() -> now);

    @Test
    void whatHasEndedIsKeptForTheRetentionTime() {
        Connection one = connection(routed(1, 2));
        hear(Type.OPENED, one);
        assertEquals(List.of(), history.ended());
        history.hear(new ConnectionEvent(Type.CLOSED, one.mapSubflows(s -> s.withoutRoute(SubflowState.IDLE)), Cause.ENDED));
        long end = now;
        assertEquals(List.of(end), history.ended().stream().map(EndedConnection::endedMillis).collect(Collectors.toList()));
        assertEquals(one, history.ended().get(0).connection(), "with its last paths");
        now += 1000L * Settings.DEFAULTS.get(Settings.RETENTION_SECONDS);
        assertEquals(1, history.ended().size());
        now++;
        assertEquals(List.of(), history.ended());
    }

    @Test
    void whatIsThereAgainOrWasIdleForSoLongHasNotEnded() {
        Connection one = connection(routed(1, 2));
        hear(Type.OPENED, one);
        history.hear(new ConnectionEvent(Type.CLOSED, one, Cause.SILENT));
        hear(Type.OPENED, one);
        assertEquals(List.of(), history.ended(), "it is there again");
        history.hear(new ConnectionEvent(Type.CLOSED, one, Cause.FORGOTTEN));
        assertEquals(1, history.ended().size(), "only its first end was one");
        for (int i = 0; i < ConnectionHistory.MOST_ENDED + 5; i++) {
            history.hear(new ConnectionEvent(Type.CLOSED, one, Cause.ENDED));
        }
        assertEquals(ConnectionHistory.MOST_ENDED, history.ended().size());
    }

    @Test
    void aWholeLifeIsTold() {
        Connection one = connection(routed(1, 2));
        hear(Type.OPENED, one);
        hear(Type.INSTALLED, one);
        Connection two = one.withSubflow(routed(2, 3));
        hear(Type.SUBFLOW_JOINED, two);
        Connection moved = two.mapSubflows(s -> s.tuple().sourcePort() == 1 ? routed(1, 4) : s);
        history.hear(new ConnectionEvent(Type.REROUTED, moved, Cause.NETWORK));
        hear(Type.IDLE, moved);
        hear(Type.OPENED, moved);
        history.hear(new ConnectionEvent(Type.CLOSED, moved, Cause.ENDED));

        assertEquals(List.of(Kind.OPENED, Kind.JOINED, Kind.INSTALLED, Kind.JOINED, Kind.MOVED, Kind.IDLE, Kind.WOKEN,
                             Kind.CLOSED), kinds());
        LifeEvent move = history.events(ID).get(4);
        assertEquals("moved from s1 > s2 > s5 to s1 > s4 > s5", move.text());
        assertEquals(1, move.subflow().get().sourcePort());
        assertEquals(Optional.of("links or switches have gone or come back"), move.why());
        assertEquals(Optional.of("its hosts have ended it"), history.events(ID).get(7).why());
    }

    @Test
    void theNewestOfAllConnectionsAreInTheOrderOfTime() {
        for (int number = 1; number <= 3; number++) {
            now += 1000;
            Histories.tell(history, new ConnectionEvent(Type.OPENED, Connection.opened(
                    ConnectionId.of("n" + number), 1, null, null, TERMS, 0, routed(number, 2))));
        }
        now += 1000;
        Histories.tell(history, new ConnectionEvent(Type.INSTALLED, Connection.opened(
                ConnectionId.of("n1"), 1, null, null, TERMS, 0, routed(1, 2))));
        assertEquals(List.of("n3", "n1"), history.newest(2).stream().map(event -> event.connection().value())
                .collect(Collectors.toList()));
        assertEquals(0, history.newest(0).size());
        List<LifeEvent> all = history.newest(Integer.MAX_VALUE);
        for (int i = 1; i < all.size(); i++) {
            assertTrue(all.get(i - 1).millis() <= all.get(i).millis());
        }
    }

    @Test
    void whatBecomesOfAJoinIsTold() {
        Connection one = connection(routed(1, 2));
        hear(Type.OPENED, one);
        Subflow parked = routed(2, 2).withRoute(SubflowState.BACKUP, path(2), back(2), 10e6);
        Subflow blocked = unrouted(3).withoutRoute(SubflowState.BLOCKED);
        hear(Type.SUBFLOW_JOINED, one.withSubflow(parked).withSubflow(blocked));
        assertEquals(List.of(Kind.OPENED, Kind.JOINED, Kind.PARKED, Kind.BLOCKED), kinds());
    }

    @Test
    void aLostPathAndItsReturnAreTold() {
        hear(Type.OPENED, connection(routed(1, 2)));
        hear(Type.DOWN, connection(unrouted(1)));
        hear(Type.REROUTED, connection(routed(1, 3)));
        assertEquals(List.of(Kind.OPENED, Kind.JOINED, Kind.DOWN, Kind.LOST, Kind.RESTORED), kinds());
    }

    @Test
    void aSubflowThatStandsStillAndWakesIsTold() {
        Connection running = connection(routed(1, 2)).withSubflow(routed(2, 3));
        hear(Type.OPENED, running);
        hear(Type.SUBFLOW_IDLE, connection(routed(1, 2)).withSubflow(idle(2)));
        hear(Type.REROUTED, running);
        assertEquals(List.of(Kind.OPENED, Kind.JOINED, Kind.JOINED, Kind.IDLE, Kind.WOKEN), kinds());
        assertEquals("has rules again, on s1 > s3 > s5", history.events(ID).get(4).text());
    }

    @Test
    void oneThatHasStoodStillLeavesForAnother() {
        hear(Type.OPENED, connection(routed(1, 2)).withSubflow(routed(2, 3)));
        hear(Type.SUBFLOW_IDLE, connection(routed(1, 2)).withSubflow(idle(2)));
        hear(Type.SUBFLOW_JOINED, connection(routed(1, 2)).withSubflow(routed(3, 3)));
        assertEquals(List.of(Kind.OPENED, Kind.JOINED, Kind.JOINED, Kind.IDLE, Kind.JOINED, Kind.LEFT), kinds());
        assertEquals("another came in its place", history.events(ID).get(5).why().get());
    }

    @Test
    void oneThatStandsStillInAConnectionOfAnEarlierRunHasNotJustJoined() {
        hear(Type.OPENED, connection(routed(1, 2)).withSubflow(idle(2)));
        assertEquals(List.of(Kind.OPENED, Kind.JOINED, Kind.IDLE), kinds());
    }

    @Test
    void aShareThatChangesIsToldOnceForEachWhile() {
        hear(Type.OPENED, connection(routed(1, 2)));
        hear(Type.SHARES_CHANGED, connection(routed(1, 2).withExpected(Rates.of(5e6, 1e5))));
        hear(Type.SHARES_CHANGED, connection(routed(1, 2).withExpected(Rates.of(4e6, 1e5))));
        assertEquals(List.of(Kind.OPENED, Kind.JOINED, Kind.SHARE), kinds());
        assertEquals("expected to the server: 0.00 → 4.00 Mbit/s", history.events(ID).get(2).text());

        now += 60_000;
        hear(Type.SHARES_CHANGED, connection(routed(1, 2).withExpected(Rates.of(9e6, 1e5))));
        assertEquals(4, history.events(ID).size());
        assertEquals("expected to the server: 4.00 → 9.00 Mbit/s", history.events(ID).get(3).text());
    }

    @Test
    void aShareIsTheConnectionsWithItsSubflowsParts() {
        hear(Type.OPENED, connection(routed(1, 2)).withSubflow(routed(2, 3)));
        hear(Type.SHARES_CHANGED, connection(routed(1, 2).withExpected(Rates.of(1e5, 5e6)))
                .withSubflow(routed(2, 3).withExpected(Rates.of(1e5, 2.5e6))));
        assertEquals(List.of(Kind.OPENED, Kind.JOINED, Kind.JOINED, Kind.SHARE), kinds());
        assertEquals("expected to the client: 0.00 → 7.50 Mbit/s (5.00 + 2.50)", history.events(ID).get(3).text());
    }

    @Test
    void aShareThatHardlyChangesIsNotWorthTelling() {
        hear(Type.OPENED, connection(routed(1, 2).withExpected(Rates.of(5e6, 0))));
        hear(Type.SHARES_CHANGED, connection(routed(1, 2).withExpected(Rates.of(5.01e6, 0))));
        assertFalse(kinds().contains(Kind.SHARE));
    }

    @Test
    void sharesThatComeBeforeTheOpeningDoNotHideIt() {
        hear(Type.SHARES_CHANGED, connection(routed(1, 2).withExpected(Rates.of(5e6, 0))));
        hear(Type.OPENED, connection(routed(1, 2).withExpected(Rates.of(5e6, 0))));
        assertTrue(kinds().contains(Kind.OPENED));
        assertEquals(1, kinds().stream().filter(kind -> kind == Kind.JOINED).count());
    }

    @Test
    void ofOneConnectionTheOpeningAndTheNewestAreKept() {
        hear(Type.OPENED, connection(routed(1, 2)));
        for (int i = 0; i < 1000; i++) {
            hear(Type.REROUTED, connection(routed(1, i % 2 == 0 ? 3 : 4)));
        }
        List<LifeEvent> events = history.events(ID);
        assertEquals(ConnectionHistory.MOST_PER_CONNECTION, events.size());
        assertEquals(Kind.OPENED, events.get(0).kind());
        assertEquals("moved from s1 > s3 > s5 to s1 > s4 > s5", events.get(events.size() - 1).text());
    }

    @Test
    void inAllNoMoreIsKeptThanThereIsRoomFor() {
        int many = ConnectionHistory.MOST_IN_ALL;
        for (int i = 0; i < many; i++) {
            Connection each = Connection.opened(ConnectionId.of("c" + i), 1, null, null, TERMS, 0, routed(1, 2));
            hear(Type.OPENED, each);
            hear(Type.CLOSED, each);
        }
        long kept = 0;
        for (int i = 0; i < many; i++) {
            kept += history.events(ConnectionId.of("c" + i)).size();
        }
        assertTrue(kept <= ConnectionHistory.MOST_IN_ALL);
        assertFalse(history.events(ConnectionId.of("c" + (many - 1))).isEmpty(), "the newest are there");
        assertTrue(history.events(ConnectionId.of("c0")).isEmpty(), "the oldest have gone");
    }

    @Test
    void followersHearEverything() {
        List<LifeEvent> heard = new ArrayList<>();
        history.follow(heard::add);
        hear(Type.OPENED, connection(routed(1, 2)));
        assertEquals(history.events(ID), heard);
    }

    private void hear(Type type, Connection connection) {
        history.hear(new ConnectionEvent(type, connection));
    }

    private List<Kind> kinds() {
        return history.events(ID).stream().map(LifeEvent::kind).collect(Collectors.toList());
    }

    private static Connection connection(Subflow first) {
        return Connection.opened(ID, 1, null, null, TERMS, 0, first);
    }

    private static Subflow idle(int port) {
        return unrouted(port).withoutRoute(SubflowState.IDLE);
    }

    private static Subflow unrouted(int port) {
        FiveTuple tuple = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.0.2"), 5201);
        return Subflow.unrouted(tuple, true, port > 1, Nets.edge(1), Nets.edge(5));
    }

    private static Subflow routed(int port, int middle) {
        return unrouted(port).withRoute(SubflowState.ACTIVE, path(middle), back(middle), 10e6);
    }

    private static List<Link> path(int middle) {
        return List.of(Nets.link(1, middle), Nets.link(middle, 5));
    }

    private static List<Link> back(int middle) {
        return List.of(Nets.link(5, middle), Nets.link(middle, 1));
    }
}
