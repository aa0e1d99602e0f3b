// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.onlab.packet.IpAddress;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wire.ConnectionForm;
import org.subflow.mptcp.wire.Examples;
import org.subflow.mptcp.wire.KeysForm;

/** Records are what they were, and no bytes whatever keep the store from starting. */
class StoredMapPropertyTest {
    private final Map<ImmutableByteSequence, ImmutableByteSequence> map = new HashMap<>();

    @Property(tries = 300)
    void aConnectionIsReadAsItWasWritten(@ForAll("anyConnection") Connection connection) {
        map.clear();
        connections().put(connection.id(), connection);
        StoredMap<ConnectionId, Connection> again = connections();
        assertEquals(Map.of(connection.id(), connection), again.read());
        assertEquals(0, again.dropped());
    }

    @Property(tries = 300)
    void keysAreReadAsTheyWereWritten(@ForAll MptcpVersion version, @ForAll long one, @ForAll long other, @ForAll boolean isFirst,
                                      @ForAll boolean isSecond) {
        map.clear();
        ConnectionKeys known = new ConnectionKeys(version, isFirst ? OptionalLong.of(one) : OptionalLong.empty(),
                                                 isSecond ? OptionalLong.of(other) : OptionalLong.empty());
        keys().put(Examples.IDLE, known);
        assertEquals(Map.of(Examples.IDLE, known), keys().read());
    }

    @Property(tries = 2000)
    void damagedBytesDropTheirEntryAtMost(@ForAll("damage") List<Integer> damage) {
        map.clear();
        StoredMap<ConnectionId, Connection> written = connections();
        Examples.connections().forEach(one -> written.put(one.id(), one));
        Map.Entry<ImmutableByteSequence, ImmutableByteSequence> one = map.entrySet().stream()
                .filter(each -> name(each.getKey()).equals(Examples.ACTIVE.value())).findFirst().get();
        byte[] value = one.getValue().asArray().clone();
        for (int change = 0; change + 1 < damage.size(); change += 2) {
            value[damage.get(change) % value.length] = damage.get(change + 1).byteValue();
        }
        one.setValue(ImmutableByteSequence.copyFrom(value));
        assertTrue(readsTheOthers(connections().read()));
    }

    @Property(tries = 500)
    void aRecordThatEndsTooEarlyOrTooLateIsDropped(@ForAll int length) {
        map.clear();
        StoredMap<ConnectionId, Connection> written = connections();
        Examples.connections().forEach(one -> written.put(one.id(), one));
        Map.Entry<ImmutableByteSequence, ImmutableByteSequence> one = map.entrySet().stream()
                .filter(each -> name(each.getKey()).equals(Examples.ACTIVE.value())).findFirst().get();
        int whole = one.getValue().asArray().length;
        int other = Math.floorMod(length, whole) + (length % 2 == 0 ? 0 : whole + 1);
        one.setValue(ImmutableByteSequence.copyFrom(Arrays.copyOf(one.getValue().asArray(), Math.max(other, 1))));
        StoredMap<ConnectionId, Connection> read = connections();
        Map<ConnectionId, Connection> found = read.read();
        assertTrue(readsTheOthers(found) && found.size() == 2 && read.dropped() == 1);
    }

    @Property(tries = 1000)
    void anyEntryOfAnyBytesLeavesTheOthers(@ForAll byte[] key, @ForAll byte[] value) {
        map.clear();
        StoredMap<ConnectionId, Connection> written = connections();
        Examples.connections().forEach(one -> written.put(one.id(), one));
        map.put(ImmutableByteSequence.copyFrom(nonEmpty(key)), ImmutableByteSequence.copyFrom(nonEmpty(value)));
        assertTrue(readsTheOthers(connections().read()));
        map.keySet().removeIf(each -> each.asArray()[0] == 0);
        assertTrue(keys().read().isEmpty() || map.size() == 1);
    }

    private static boolean readsTheOthers(Map<ConnectionId, Connection> found) {
        return Examples.connections().stream().filter(one -> !one.id().equals(Examples.ACTIVE))
                .allMatch(one -> one.equals(found.get(one.id())));
    }

    private static byte[] nonEmpty(byte[] bytes) {
        return bytes.length == 0 ? new byte[1] : bytes;
    }

    private static String name(ImmutableByteSequence key) {
        return new String(key.asArray(), StandardCharsets.UTF_8).substring(1);
    }

    private StoredMap<ConnectionId, Connection> connections() {
        return new StoredMap<>(map, new ConnectionForm());
    }

    private StoredMap<ConnectionId, ConnectionKeys> keys() {
        return new StoredMap<>(map, new KeysForm());
    }

    @Provide
    Arbitrary<List<Integer>> damage() {
        return Arbitraries.integers().between(0, 4095).list().ofMinSize(2).ofMaxSize(8);
    }

    @Provide
    static Arbitrary<Connection> anyConnection() {
        Arbitrary<Terms> terms = Combinators.combine(
                Arbitraries.of("", "bulk", "Grüße ✓"), Arbitraries.of(PathStrategies.names()), Arbitraries.integers().between(1, 64),
                Arbitraries.of(JoinPolicy.class), Arbitraries.doubles().between(0.1, 1e9),
                Arbitraries.of(1e6, Double.POSITIVE_INFINITY)).as(Terms::of);
        return Combinators.combine(
                Arbitraries.strings().withCharRange('a', 'z').ofMinLength(1).ofMaxLength(63), Arbitraries.of(0, 1),
                Arbitraries.integers().injectNull(0.3), Arbitraries.integers().injectNull(0.3), terms, Arbitraries.longs(),
                Arbitraries.of(ConnectionState.class), anySubflow().list().ofMinSize(1).ofMaxSize(9)).as(
                (id, version, client, server, under, created, state, subflows) -> Connection.opened(
                        ConnectionId.of(id), version, client == null ? null : Token.of(client),
                        server == null ? null : Token.of(server), under, created, subflows.get(0))
                        .withSubflows(subflows).withState(state));
    }

    private static Arbitrary<Subflow> anySubflow() {
        Arbitrary<FiveTuple> tuple = Combinators.combine(Arbitraries.of("10.0.0.", "fd00::"), Arbitraries.integers().between(1, 99),
                Arbitraries.integers().between(0, 65_535), Arbitraries.integers().between(0, 65_535)).as(
                (net, host, one, other) -> FiveTuple.of(IpAddress.valueOf(net + host), one, IpAddress.valueOf(net + "100"), other));
        Arbitrary<List<Integer>> way = Arbitraries.integers().between(1, 1000).list().ofMaxSize(8);
        return Combinators.combine(tuple, Arbitraries.of(true, false), Arbitraries.of(true, false),
                                   Arbitraries.of(SubflowState.class), way, Arbitraries.doubles().between(0, 1e11)).as(
                (of, isFromClient, isJoin, state, switches, rate) -> {
                    Subflow subflow = Subflow.unrouted(of, isFromClient, isJoin, Nets.edge(1), Nets.edge(2));
                    boolean isRouted = state == SubflowState.ACTIVE || state == SubflowState.BACKUP;
                    return (isRouted ? subflow.withRoute(state, links(switches), links(switches), rate)
                            : subflow.withoutRoute(state)).withExpected(Rates.of(rate, rate / 3));
                });
    }

    private static List<Link> links(List<Integer> switches) {
        return switches.stream().map(one -> Nets.link(one, one + 1)).collect(Collectors.toList());
    }
}
