// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Whose a five-tuple is, while connections change. */
class ConnectionStoreTest {
    private static final FiveTuple FIRST = Stage.tuple("10.0.0.1", 1000);
    private static final FiveTuple SECOND = Stage.tuple("10.0.0.11", 1001);

    private final ConnectionStore store = new ConnectionStore(new HashMap<>(), task -> () -> { }, LoopGuard.NONE);
    private final Connection opened = Connection.opened(Stage.ID, 1, Token.of(1), Token.of(2),
            Settings.DEFAULTS.terms(), 0, subflow(FIRST));

    @Test
    void aSubflowThatTheConnectionNoLongerHasIsNobodys() {
        store.put(opened.withSubflow(subflow(SECOND)));
        assertEquals(Optional.of(Stage.ID), store.owner(SECOND.reversed()));

        store.put(opened);
        assertEquals(Optional.empty(), store.owner(SECOND));
        assertEquals(Optional.of(Stage.ID), store.owner(FIRST));
        store.remove(Stage.ID);
        assertEquals(Optional.empty(), store.owner(FIRST));
    }

    /** Else a leader to come would find it at both connections. */
    @Test
    void whatAHeldConnectionHasLostIsLostInOnosToo() {
        Map<ImmutableByteSequence, ImmutableByteSequence> kept = new HashMap<>();
        List<Runnable> writes = new ArrayList<>();
        ConnectionStore first = new ConnectionStore(kept, task -> () -> writes.add(task), LoopGuard.NONE);
        Connection both = opened.withSubflow(subflow(SECOND));
        first.put(both);
        first.hold(both.withState(ConnectionState.IDLE));
        first.put(opened.withState(ConnectionState.IDLE));
        List.copyOf(writes).forEach(Runnable::run);
        ConnectionStore next = new ConnectionStore(kept, task -> () -> { }, LoopGuard.NONE);
        assertEquals(Optional.empty(), next.owner(SECOND));
        assertEquals(Optional.of(Stage.ID), next.owner(FIRST));
    }

    @Test
    void legsAreFoundByTheirAddressesAndPorts() {
        FiveTuple before = FIRST.between(HostId.hostId(MacAddress.valueOf(1)), HostId.hostId(MacAddress.valueOf(8)));
        FiveTuple behind = FIRST.between(HostId.hostId(MacAddress.valueOf(8)), HostId.hostId(MacAddress.valueOf(2)));
        Connection other = Connection.opened(ConnectionId.of("other"), 1, Token.of(1), Token.of(2), opened.terms(), 0,
                                             subflow(behind));
        store.put(opened.withSubflows(List.of(subflow(before))));
        store.put(other);
        assertEquals(Set.of(before, behind), store.legs(FIRST));
        assertEquals(Set.of(before.reversed(), behind.reversed()), store.legs(FIRST.reversed()));
        assertEquals(Optional.of(other.id()), store.owner(behind));
        assertEquals(Optional.empty(), store.owner(FIRST));
        store.remove(Stage.ID);
        assertEquals(Set.of(behind), store.legs(FIRST));
        store.remove(other.id());
        assertEquals(Set.of(), store.legs(FIRST));
    }

    @Test
    void hostsAreStored() {
        Map<ImmutableByteSequence, ImmutableByteSequence> kept = new HashMap<>();
        List<Runnable> writes = new ArrayList<>();
        FiveTuple tagged = FIRST.between(HostId.hostId(MacAddress.valueOf(1), VlanId.vlanId((short) 10)),
                                         HostId.hostId(MacAddress.valueOf(2), VlanId.vlanId((short) 10)));
        ConnectionStore first = new ConnectionStore(kept, task -> {
            writes.add(task);
            return () -> { };
        }, LoopGuard.NONE);
        first.put(opened.withSubflows(List.of(subflow(tagged))));
        writes.forEach(Runnable::run);
        ConnectionStore next = new ConnectionStore(kept, task -> () -> { }, LoopGuard.NONE);
        assertEquals(tagged, next.get(Stage.ID).orElseThrow().first().tuple());
        assertEquals(Optional.of(Stage.ID), next.owner(tagged));
    }

    @Test
    void whatHostsHaveSaidIsStored() {
        Map<ImmutableByteSequence, ImmutableByteSequence> kept = new HashMap<>();
        List<Runnable> writes = new ArrayList<>();
        ConnectionStore first = new ConnectionStore(kept, task -> {
            writes.add(task);
            return () -> { };
        }, LoopGuard.NONE);
        Connection said = opened.withSubflows(List.of(subflow(FIRST), subflow(FIRST.withSourcePort(9)).withBackup(true)))
                .withDeniedJoins(true);
        first.put(said);
        writes.forEach(Runnable::run);
        assertEquals(said, new ConnectionStore(kept, task -> () -> { }, LoopGuard.NONE).get(Stage.ID).orElseThrow());
    }

    /** The tracking thread would take a packet of it for one of plain TCP. */
    @Test
    void aLivingSubflowIsSomebodysAtAnyMomentWhileSharesChange() throws InterruptedException {
        store.put(opened);
        AtomicLong lost = new AtomicLong();
        AtomicBoolean ended = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        Thread tracking = new Thread(() -> {
            while (!ended.get()) {
                lost.addAndGet(store.owner(FIRST).isPresent() ? 0 : 1);
                begun.countDown();
            }
        });
        tracking.start();
        begun.await();
        for (int share = 0; share < 20_000; share++) {
            store.put(opened.withSubflows(List.of(opened.first().withExpected(Rates.of(share, share)))));
        }
        ended.set(true);
        tracking.join();
        assertEquals(0, lost.get());
    }

    @Test
    void connectionsAreFoundByTheirState() {
        Connection older = named("older", 1);
        Connection newer = named("newer", 2);
        store.put(newer);
        store.put(older);
        assertEquals(List.of(older, newer), store.live());
        assertEquals(List.of(older, newer), store.in(ConnectionState.PENDING));
        assertEquals(List.of(older, newer), store.all());

        Connection active = older.withState(ConnectionState.ACTIVE);
        store.put(active);
        assertEquals(List.of(active, newer), store.live());
        assertEquals(List.of(active), store.in(ConnectionState.ACTIVE));
        assertEquals(List.of(newer), store.in(ConnectionState.PENDING));

        Connection idle = active.withState(ConnectionState.IDLE);
        store.put(idle);
        assertEquals(List.of(newer), store.live());
        assertEquals(List.of(idle), store.in(ConnectionState.IDLE));
        assertEquals(List.of(), store.in(ConnectionState.ACTIVE));

        store.put(older);
        store.remove(newer.id());
        assertEquals(List.of(older), store.live());
        store.remove(older.id());
        assertEquals(List.of(), store.live());
        for (ConnectionState state : ConnectionState.values()) {
            assertEquals(List.of(), store.in(state));
        }
    }

    @Test
    void oneThatTakesTheNameOfAnotherTakesItsPlace() {
        store.put(named("name", 1));
        Connection again = named("name", 2);
        store.put(again);
        assertEquals(List.of(again), store.live());
        assertEquals(List.of(again), store.in(ConnectionState.PENDING));
    }

    @Test
    void theNewestStateOfALivingConnectionIsReturned() {
        store.put(opened);
        store.live();
        Connection shared = opened.withSubflows(List.of(opened.first().withExpected(Rates.of(1, 1))));
        store.put(shared);
        assertEquals(Rates.of(1, 1), store.live().get(0).expected());
        assertEquals(Rates.of(1, 1), store.in(ConnectionState.PENDING).get(0).expected());
    }

    @Test
    void expectedRatesAloneAreNotWritten() {
        List<Runnable> writes = new ArrayList<>();
        ConnectionStore written = new ConnectionStore(new HashMap<>(), task -> () -> writes.add(task), LoopGuard.NONE);
        written.put(opened);
        assertEquals(1, writes.size());
        Connection shared = opened.withSubflows(List.of(opened.first().withExpected(Rates.of(1, 1))));
        written.put(shared);
        assertEquals(1, writes.size());
        assertEquals(shared, written.get(shared.id()).orElseThrow());
        written.put(shared.withState(ConnectionState.ACTIVE));
        assertEquals(2, writes.size());
    }

    private static Connection named(String name, long createdMillis) {
        return Connection.opened(ConnectionId.of(name), 1, Token.of(1), Token.of(2),
                Settings.DEFAULTS.terms(), createdMillis, subflow(FIRST));
    }

    private static Subflow subflow(FiveTuple tuple) {
        return Subflow.unrouted(tuple, true, false, Nets.edge(1), Nets.edge(5));
    }
}
