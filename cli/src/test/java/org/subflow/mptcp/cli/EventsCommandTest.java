// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.monitoring.EndedConnection;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.api.monitoring.LifeEvent.Kind;

/** {@code mptcp-events}, of the past and as things happen. */
class EventsCommandTest extends CommandScenario {
    private static final FiveTuple SUBFLOW = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1, IpAddress.valueOf("10.0.0.2"), 2);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Told told = new Told();

    @BeforeEach
    void offer() {
        FrameworkUtil.offer(HistoryService.class, told);
        told.events.add(new LifeEvent(1000, ConnectionId.of("c1"), Kind.OPENED, null, "opened", null));
        told.events.add(new LifeEvent(2000, ConnectionId.of("c2"), Kind.MOVED, SUBFLOW, "moved from a to b", "a is down"));
    }

    @Test
    void anEventIsALineWithTimeAndReason() throws Exception {
        List<String> lines = shell.run("onos:mptcp-events");
        assertEquals(2, lines.size());
        assertTrue(lines.get(0).matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:01\\.000 c1 +opened +opened"), lines.get(0));
        assertTrue(lines.get(1).endsWith(SUBFLOW + " moved from a to b (a is down)"), lines.get(1));
    }

    @Test
    void theNewestOnesOrThoseOfOneConnection() throws Exception {
        assertEquals(List.of("c2"), ids(shell.json("onos:mptcp-events -j -n 1")));
        assertEquals(List.of("c1"), ids(shell.json("onos:mptcp-events -j c1")));
    }

    @Test
    void whereNothingIsKnownItSaysSo() throws Exception {
        assertEquals("No MPTCP connection has or had the id c9; mptcp-events tells of all", shell.error("onos:mptcp-events c9"));
        assertEquals("No MPTCP connection has or had the id c9; mptcp-events tells of all", shell.error("onos:mptcp-events -j c9"));
        assertEquals("-n takes a whole number from 0 to 100000, not 'many'", shell.error("onos:mptcp-events -n many"));
    }

    @Test
    void followsOneConnectionUntilTheUserInterrupts() throws Exception {
        Thread world = new Thread(() -> {
            waitUntil(() -> told.follower != null);
            told.follower.accept(new LifeEvent(3000, ConnectionId.of("c2"), Kind.IDLE, null, "not asked for", null));
            told.follower.accept(new LifeEvent(4000, ConnectionId.of("c1"), Kind.CLOSED, null, "closed now", null));
            waitUntil(() -> shell.soFar().contains("closed now"));
            told.reader.interrupt();
        });
        world.start();
        List<String> lines = shell.run("onos:mptcp-events -f -j c1");
        world.join();
        assertEquals(2, lines.size(), "one object a line");
        assertTrue(lines.get(0).contains("\"type\":\"opened\"") && lines.get(1).contains("\"type\":\"closed\""), lines::toString);
        assertTrue(told.isLeft);
        assertEquals(2, shell.run("onos:mptcp-events").size(), "the shell goes on");
    }

    private interface Condition {
        boolean holds();
    }

    private static void waitUntil(Condition condition) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.holds() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static List<String> ids(JsonNode events) {
        return events.findValuesAsText("connection");
    }

    /** A history that the test tells. */
    private static final class Told implements HistoryService {
        private final List<LifeEvent> events = new ArrayList<>();
        private volatile Consumer<LifeEvent> follower;
        private volatile Thread reader;
        private volatile boolean isLeft;

        @Override
        public List<LifeEvent> events(ConnectionId connection) {
            return events.stream().filter(event -> event.connection().equals(connection)).collect(Collectors.toList());
        }

        @Override
        public List<LifeEvent> newest(int most) {
            return events.subList(Math.max(0, events.size() - most), events.size());
        }

        @Override
        public List<EndedConnection> ended() {
            return List.of();
        }

        @Override
        public void follow(Consumer<LifeEvent> wanted) {
            reader = Thread.currentThread();
            follower = wanted;
        }

        @Override
        public void unfollow(Consumer<LifeEvent> known) {
            isLeft = true;
        }
    }
}
