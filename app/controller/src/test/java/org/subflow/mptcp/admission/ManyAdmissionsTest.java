// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.loop.Urgency;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.topology.Topologies;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/**
 * A thousand connections live on OS3E, and five hundred more begin at once. It prints how long the loop's thread worked, in
 * processor time.
 */
class ManyAdmissionsTest {
    private static final double GIGABIT = 1e9;
    private static final int LIVING = 1000;
    private static final int NEW = 500;
    private static final long SHARE_MILLIS = 50;
    private static final long MOST_SECONDS = 120;

    private final Topology os3e = Topologies.os3e(GIGABIT);
    private final SplittableRandom random = new SplittableRandom(1);
    private final AtomicInteger shares = new AtomicInteger();
    private final AtomicLong shareNanos = new AtomicLong();
    private final ControlLoop loop = new ControlLoop(Thread::new, 10_000, System::nanoTime);
    private Stage stage;

    @BeforeEach
    void connect() {
        stage = new Stage(os3e.nodes().size(), links(os3e.graph()));
        stage.steady = true;
        stage.links.forEach(link -> stage.capacities.put(link, GIGABIT));
        stage.settings = Settings.DEFAULTS.with(Settings.SUBFLOWS, 1);
        for (int node = 1; node <= os3e.nodes().size(); node++) {
            stage.attach(String.format("00:00:00:00:00:%02x", node), Nets.edge(node), "10.0.0." + node);
        }
        stage.shares = task -> loop.rested(Urgency.SHARES, SHARE_MILLIS, loop, () -> share(task));
        stage.bookings = task -> () -> { };
        stage.start();
    }

    @AfterEach
    void close() {
        loop.stop();
    }

    @Test
    void shareTheNetworkAFewTimesOnly() throws InterruptedException {
        open(0, LIVING);
        shares.set(0);
        shareNanos.set(0);
        long took = open(LIVING, NEW);
        System.out.printf(Locale.ROOT, "%d admissions beside %d connections: %d ms, of which %d shares took %d ms%n",
                          NEW, LIVING, TimeUnit.NANOSECONDS.toMillis(took), shares.get(),
                          TimeUnit.NANOSECONDS.toMillis(shareNanos.get()));
        assertEquals(LIVING + NEW, stage.store.live().size());
        assertTrue(shares.get() < NEW / 5, () -> shares + " shares for " + NEW + " admissions");
        stage.store.live().forEach(one -> assertTrue(one.expected().up() > 0, one::toString));
    }

    /** Opens connections, all queued at once; returns the loop's work until all have shares, nanoseconds. */
    private long open(int first, int many) throws InterruptedException {
        List<Runnable> admissions = new ArrayList<>();
        CountDownLatch admitted = new CountDownLatch(many);
        for (int number = first; number < first + many; number++) {
            int from = 1 + random.nextInt(os3e.nodes().size());
            int to = 1 + (from + random.nextInt(os3e.nodes().size() - 1)) % os3e.nodes().size();
            FiveTuple tuple = FiveTuple.of(IpAddress.valueOf("10.0.0." + from), 1000 + number,
                                           IpAddress.valueOf("10.0.0." + to), 5201);
            ConnectionId id = ConnectionId.of("c" + number);
            Token token = Token.of(number);
            admissions.add(() -> {
                stage.admission.opened(id, Opening.of(tuple, List.of()), 1, token, token, 0);
                admitted.countDown();
            });
        }
        long begun = workNanos();
        admissions.forEach(task -> assertTrue(loop.execute(task)));
        assertTrue(admitted.await(MOST_SECONDS, TimeUnit.SECONDS));
        CountDownLatch settled = new CountDownLatch(1);
        loop.execute(Urgency.CHORE, () -> {
            share(stage.provisioner::settle);
            settled.countDown();
        });
        assertTrue(settled.await(MOST_SECONDS, TimeUnit.SECONDS));
        return workNanos() - begun;
    }

    /** Returns the processor time of the loop's thread so far. */
    private long workNanos() {
        return loop.ask(() -> ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(),
                        TimeUnit.SECONDS.toMillis(MOST_SECONDS));
    }

    private void share(Runnable task) {
        long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        task.run();
        shares.incrementAndGet();
        shareNanos.addAndGet(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun);
    }

    private static List<Link> links(Graph graph) {
        List<Link> links = new ArrayList<>();
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            links.add(Nets.link(graph.tail(arc) + 1, graph.head(arc) + 1));
        }
        return links;
    }
}
