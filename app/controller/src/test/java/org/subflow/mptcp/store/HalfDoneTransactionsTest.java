// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.atomix.cluster.MemberId;
import io.atomix.core.Atomix;
import io.atomix.core.map.AtomicMap;
import io.atomix.core.map.impl.MapUpdate;
import io.atomix.core.transaction.ParticipantInfo;
import io.atomix.core.transaction.TransactionId;
import io.atomix.core.transaction.TransactionLog;
import io.atomix.core.transaction.TransactionService;
import io.atomix.core.transaction.TransactionState;
import io.atomix.primitive.PrimitiveException;
import io.atomix.protocols.raft.MultiRaftProtocol;
import io.atomix.protocols.raft.partition.RaftPartitionGroup;
import io.atomix.storage.StorageLevel;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a real Atomix of one node. */
class HalfDoneTransactionsTest {
    private static final String KEY = "port";

    @TempDir
    static Path folder;

    private static Atomix atomix;
    private static AtomicMap<String, String> consumers;
    private static AtomicMap<String, String> children;

    private final HalfDoneTransactions transactions;

    HalfDoneTransactionsTest() throws ReflectiveOperationException {
        transactions = new HalfDoneTransactions(new AtomixTransactions(atomix));
    }

    @BeforeAll
    static void start() {
        atomix = Atomix.builder()
                .withMemberId("node")
                .withHost("127.0.0.1")
                .withPort(0)
                .withMessagingInterface("127.0.0.1")
                .withManagementGroup(group("system"))
                .withPartitionGroups(group("raft"))
                .build();
        atomix.start().join();
        consumers = map("consumers");
        children = map("children");
    }

    private static RaftPartitionGroup group(String name) {
        return RaftPartitionGroup.builder(name)
                .withMembers("node")
                .withNumPartitions(1)
                .withStorageLevel(StorageLevel.MAPPED)
                .withDataDirectory(folder.resolve(name).toFile())
                .build();
    }

    private static AtomicMap<String, String> map(String name) {
        return atomix.<String, String>atomicMapBuilder(name)
                .withProtocol(MultiRaftProtocol.builder("raft").build())
                .build();
    }

    @BeforeEach
    void fill() {
        consumers.put(KEY, "before");
        children.put(KEY, "before");
    }

    @AfterAll
    static void stop() {
        atomix.stop().join();
    }

    /** Does what ONOS does until it is killed; the transaction writes {@code value} into both maps. */
    private static TransactionId leave(String value, boolean decided) {
        TransactionService service = atomix.getTransactionService();
        TransactionId id = service.begin().join();
        service.preparing(id, new HashSet<>(List.of(participant(consumers), participant(children)))).join();
        assertTrue(prepare(consumers, id, value));
        assertTrue(prepare(children, id, value));
        if (decided) {
            service.committing(id).join();
        }
        return id;
    }

    private static ParticipantInfo participant(AtomicMap<String, String> map) {
        return new ParticipantInfo(map.name(), map.type().name(), map.protocol().type().name(), "raft");
    }

    private static boolean prepare(AtomicMap<String, String> map, TransactionId id, String value) {
        return map.async().prepare(new TransactionLog<>(id, 0, List.of(
                MapUpdate.<String, String>builder().withType(MapUpdate.Type.PUT_IF_VERSION_MATCH)
                        .withKey(KEY).withValue(value).withVersion(map.get(KEY).version()).build()))).join();
    }

    private static TransactionState state(TransactionId id) {
        return atomix.getTransactionService().getTransactionState(id);
    }

    @Test
    void whatWasNotDecidedIsRolledBackAndTheEntriesAreFree() throws ReflectiveOperationException {
        TransactionId id = leave("new", false);
        assertThrows(PrimitiveException.class, () -> consumers.put(KEY, "other"), "the entry is locked");
        transactions.look();
        assertEquals(TransactionState.PREPARING, state(id), "it may be at work");
        transactions.look();
        assertEquals(null, state(id));
        assertEquals("before", consumers.get(KEY).value());
        consumers.put(KEY, "other");
        children.put(KEY, "other");
    }

    @Test
    void whatWasDecidedIsCommitted() throws ReflectiveOperationException {
        TransactionId id = leave("decided", true);
        transactions.look();
        transactions.look();
        assertEquals(null, state(id));
        assertEquals("decided", consumers.get(KEY).value());
        assertEquals("decided", children.get(KEY).value());
    }

    @Test
    void oneMapMayHaveFinishedIt() throws ReflectiveOperationException {
        TransactionId id = leave("half", true);
        consumers.async().commit(id).join();
        consumers.put(KEY, "later");
        transactions.look();
        transactions.look();
        assertEquals("later", consumers.get(KEY).value());
        assertEquals("half", children.get(KEY).value());
    }

    @Test
    void oneThatGoesOnIsLeftAlone() throws ReflectiveOperationException {
        TransactionId id = atomix.getTransactionService().begin().join();
        transactions.look();
        transactions.look();
        assertEquals(TransactionState.ACTIVE, state(id), "it locks nothing");
        atomix.getTransactionService().complete(id).join();
        assertFalse(new AtomixTransactions(atomix).finish(id), "it has ended");
    }

    @Test
    void anotherOnosIsNamed() {
        assertThrows(ReflectiveOperationException.class, () -> AtomixTransactions.of(MemberId.from("no manager")));
    }
}
