// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.net.Link;
import org.onosproject.store.service.StorageException;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.wire.ConnectionForm;
import org.subflow.mptcp.wire.Examples;

/** A start with the maps that another release has left, or that are damaged. */
class StoredFormsTest {
    private static final Path FOLDER = Path.of("src/test/resources/stored");

    private final KnownMaps onos = new KnownMaps();
    private final Map<String, Map<ImmutableByteSequence, ImmutableByteSequence>> maps = onos.maps;
    private final List<Runnable> writes = new ArrayList<>();
    private ConnectionStore connections;
    private KeyStore keys;

    @BeforeEach
    void nothingIsStored() {
        maps.put("onos-mptcp-connections", new HashMap<>());
        maps.put("onos-mptcp-keys", new HashMap<>());
    }

    @ParameterizedTest
    @ValueSource(strings = {"form-1.txt", "form-2.txt", "form-3.txt"})
    void whatTheLastReleasesHaveStoredIsRead(String file) throws IOException {
        upgradeFrom(file);
        start();
        assertEquals(Examples.connections(), connections.all());
        assertEquals(reversePaths(Examples.connections()), reversePaths(connections.all()));
        Map<ConnectionId, Object> known = new HashMap<>();
        connections.all().forEach(one -> keys.get(one.id()).ifPresent(found -> known.put(one.id(), found)));
        assertEquals(Examples.keys(), known);
        assertEquals(0, connections.dropped() + keys.dropped());
        assertTrue(writes.isEmpty(), "nothing is to be written");
    }

    @Test
    void thisReleaseStoresInTheFormOfTheFile() throws IOException {
        upgradeFrom("form-3.txt");
        assertEquals(maps, asToday());
    }

    @Test
    void conditionsOfPathsAndTheLimitOfSubflowsAreStored() throws IOException {
        Connection plain = Examples.connections().get(0);
        Connection held = Connection.opened(plain.id(), 1, null, null, plain.terms().withPaths("srlg", 40, 10).withMostSubflows(2),
                                            plain.createdMillis(), plain.first());
        start();
        connections.put(held);
        write();
        start();
        assertEquals(held.terms(), connections.all().get(0).terms());
    }

    @Test
    void whatReleasesHaveStoredBeforeRecordsHadNumbersIsDropped() throws IOException {
        upgradeFrom("unnumbered.txt");
        start();
        assertEquals(List.of(), connections.all());
        assertEquals(3, connections.dropped());
        assertEquals(2, keys.dropped());
        write();
        assertTrue(maps.values().stream().allMatch(Map::isEmpty), maps::toString);
    }

    @Test
    void besideWhatIsDroppedNewConnectionsAreStored() throws IOException {
        upgradeFrom("unnumbered.txt");
        start();
        Examples.connections().forEach(connections::put);
        Examples.keys().forEach(keys::put);
        write();
        assertEquals(asToday(), maps);
    }

    @Test
    void anEntryOfAReleaseToComeIsDroppedAndTheOthersCount() throws IOException {
        upgradeFrom("form-3.txt");
        replaceValue("onos-mptcp-connections", value -> {
            value[1]++;
            return value;
        });
        replaceValue("onos-mptcp-keys", value -> {
            value[1]++;
            return value;
        });
        start();
        assertEquals(2, connections.all().size());
        assertEquals(1, connections.dropped());
        assertEquals(1, keys.dropped());
        write();
        assertEquals(2, maps.get("onos-mptcp-connections").size());
        assertEquals(1, maps.get("onos-mptcp-keys").size());
    }

    @Test
    void aConnectionThatTakesTheNameOfADroppedOneStays() throws IOException {
        upgradeFrom("form-3.txt");
        replaceValue("onos-mptcp-connections", value -> {
            value[1]++;
            return value;
        });
        start();
        Examples.connections().forEach(connections::put);
        write();
        assertEquals(asToday().get("onos-mptcp-connections"), maps.get("onos-mptcp-connections"));
    }

    @Test
    void aStoreThatDoesNotAnswerKeepsNobodyFromStarting() {
        maps.put("onos-mptcp-connections", new HashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            public Set<Map.Entry<ImmutableByteSequence, ImmutableByteSequence>> entrySet() {
                throw new StorageException.Timeout();
            }

            @Override
            public void forEach(BiConsumer<? super ImmutableByteSequence, ? super ImmutableByteSequence> each) {
                throw new StorageException.Timeout();
            }
        });
        start();
        assertEquals(List.of(), connections.all());
    }

    @Test
    void afterTheRemovalNothingIsLeft() throws IOException {
        upgradeFrom("form-2.txt");
        maps.get("onos-mptcp-keys").put(bytes(1, 2, 3), bytes(4));
        start();
        connections.clear();
        keys.clear();
        assertTrue(maps.values().stream().allMatch(Map::isEmpty), maps::toString);
    }

    private void start() {
        connections = ConnectionStore.open(onos, task -> () -> writes.add(task), LoopGuard.NONE, () -> 0);
        keys = KeyStore.open(onos, task -> () -> writes.add(task), LoopGuard.NONE, () -> 0);
    }

    private void write() {
        List<Runnable> now = List.copyOf(writes);
        writes.clear();
        now.forEach(Runnable::run);
    }

    private static List<List<Link>> reversePaths(List<Connection> of) {
        return of.stream().map(one -> one.first().reversePath()).collect(Collectors.toList());
    }

    private static Map<String, Map<ImmutableByteSequence, ImmutableByteSequence>> asToday() {
        Map<String, Map<ImmutableByteSequence, ImmutableByteSequence>> today = new HashMap<>();
        StoredMap<ConnectionId, Connection> connections =
                new StoredMap<>(today.computeIfAbsent("onos-mptcp-connections", name -> new HashMap<>()), new ConnectionForm());
        Examples.connections().forEach(one -> connections.put(one.id(), one));
        KeyStore keys = new KeyStore(today.computeIfAbsent("onos-mptcp-keys", name -> new HashMap<>()), now -> now, LoopGuard.NONE);
        Examples.keys().forEach(keys::put);
        return today;
    }

    private void upgradeFrom(String file) throws IOException {
        for (Map.Entry<String, Map<ImmutableByteSequence, ImmutableByteSequence>> map : maps.entrySet()) {
            map.getValue().putAll(entries(file, map.getKey()));
        }
    }

    /** Returns the entries of one map in a kept file. */
    static Map<ImmutableByteSequence, ImmutableByteSequence> entries(String file, String map) throws IOException {
        Map<ImmutableByteSequence, ImmutableByteSequence> found = new HashMap<>();
        for (String line : Files.readAllLines(FOLDER.resolve(file), StandardCharsets.US_ASCII)) {
            String[] fields = line.split(" ");
            if (fields[0].equals(map)) {
                found.put(ImmutableByteSequence.copyFrom(Base64.getDecoder().decode(fields[1])),
                          ImmutableByteSequence.copyFrom(Base64.getDecoder().decode(fields[2])));
            }
        }
        return found;
    }

    private void replaceValue(String map, UnaryOperator<byte[]> change) {
        Map.Entry<ImmutableByteSequence, ImmutableByteSequence> one = maps.get(map).entrySet().iterator().next();
        one.setValue(ImmutableByteSequence.copyFrom(change.apply(one.getValue().asArray().clone())));
    }

    private static ImmutableByteSequence bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int each = 0; each < values.length; each++) {
            bytes[each] = (byte) values[each];
        }
        return ImmutableByteSequence.copyFrom(bytes);
    }

    /** Writes the file of today's form. */
    public static void main(String[] unused) {
        asToday().forEach((name, map) -> map.forEach((key, value) -> System.out.println(
                name + " " + Base64.getEncoder().encodeToString(key.asArray()) + " "
                + Base64.getEncoder().encodeToString(value.asArray()))));
    }
}
