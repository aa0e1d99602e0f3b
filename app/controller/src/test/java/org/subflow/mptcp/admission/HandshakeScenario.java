// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.onlab.packet.ChassisId;
import org.onlab.packet.MacAddress;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.HostId;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.CandidateTable;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.plain.BusyServices;
import org.subflow.mptcp.plain.PlainTraffic;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.FlagCopies;
import org.subflow.mptcp.segment.Ignored;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.token.TokenTable;
import org.subflow.mptcp.wiring.Stage;

/** A handler of handshakes with all that it works on; connections are managed at once. */
abstract class HandshakeScenario {
    static final FiveTuple FIRST = tuple("10.0.0.1", 1000);
    static final FiveTuple SECOND = tuple("10.0.0.11", 1001);
    static final FiveTuple THIRD = tuple("10.0.0.12", 1002);
    static final FiveTuple FOURTH = tuple("10.0.0.13", 1003);
    static final long MILLIS = 10_000;

    /** A five-tuple between the hosts of {@link Stage}. */
    private static FiveTuple tuple(String client, int port) {
        return Stage.tuple(client, port).between(HostId.hostId(MacAddress.valueOf(1)), HostId.hostId(MacAddress.valueOf(2)));
    }

    final Stage stage = stage();
    /** The time on the clock of the handler; it stands still unless a test says otherwise. */
    long nanos;
    final ControlLoop loop = new ControlLoop(Executors.defaultThreadFactory(), 100, stage.clock::nanos);
    final KeyStore keys = stage.keys;
    final TokenTable tokens = stage.tokens;
    final List<FlowRuleOperations> plain = new CopyOnWriteArrayList<>();
    /** How long a demoted connection has been silent of which it was asked whether it may have ended unseen. */
    long silentNanos;
    /** How often all rules were looked at. */
    int looks;
    /** Whether switches copy SYN, FIN and RST. */
    boolean copying;
    final DetectCounters counters = new DetectCounters();
    final FlagCopies copies = new FlagCopies(new DeviceServiceAdapter() {
        @Override
        public Device getDevice(DeviceId id) {
            return new DefaultDevice(ProviderId.NONE, id, Device.Type.SWITCH, "", "", "", "", new ChassisId(),
                    DefaultAnnotations.builder().set("tcpFlags", copying ? "copied" : "none").build());
        }
    });
    final BusyServices services = new BusyServices(stage.attachments::isOwn, () -> nanos);
    final UnmanagedTraffic unmanaged = new UnmanagedTraffic(new PlainTraffic(new OwnRules(new FlowRuleServiceAdapter() {
        @Override
        public void apply(FlowRuleOperations operations) {
            plain.add(operations);
        }

        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            looks++;
            return List.of();
        }
    }, new KnownSwitches(1), new DefaultApplicationId(7, "org.subflow.mptcp")), stage, stage.attachments, () -> stage.settings, now -> now, () -> nanos), services,
        new WakeRules(new OwnRules(new FlowRuleServiceAdapter(), new KnownSwitches(1), new DefaultApplicationId(7, "org.subflow.mptcp")), () -> nanos,
                      full -> { }),
        copies, stage.attachments, new Ignored(counters), counters);
    final AdmissionPace pace = stage.parts().pace;
    final Demotions demotions = demotions();
    final HandshakeHandler.State known = known();
    final Admissions admissions = stage.parts().admissions();
    private final Openings openings = new Openings(loop::execute, known, admissions, stage.endings, unmanaged, demotions,
                                                   stage.clock);
    final CandidateTable candidates = new CandidateTable(100, 100, stage.attachments::sender, services::wasBusyWithin,
                                                         openings::forgotten);
    final HandshakeHandler handler = handler(known, openings, candidates, demotions, admissions);

    private Demotions demotions() {
        return new Demotions(stage.store, stage.meter, stage.provisioner, stage.parts().policies, unmanaged,
                             (first, time) -> {
                                 silentNanos = time;
                                 return stage.endsUnseen;
                             });
    }

    private HandshakeHandler.State known() {
        return new HandshakeHandler.State(stage.store, keys, tokens, stage.awaited);
    }

    private HandshakeHandler handler(HandshakeHandler.State now, Openings opens, CandidateTable table, Demotions demoting,
                                     Admissions admitting) {
        Promotion promotion = new Promotion(loop::execute, table, opens, unmanaged, stage.ruleTimes, stage.parts().gate, stage.clock);
        ManagedTraffic managed = new ManagedTraffic(loop::execute, stage.store, admitting, stage.endings, unmanaged, demoting,
                                                    stage.clock);
        return new HandshakeHandler(table, now, managed, unmanaged, promotion, stage.parts().policies, stage.clock);
    }

    /** The demotions after a restart, and the handler around them. */
    final class Restarted {
        final Demotions demotions = demotions();
        private final Openings opens = new Openings(loop::execute, known(), stage.parts().admissions(), stage.endings, unmanaged, demotions,
                                                    stage.clock);
        final HandshakeHandler handler = handler(known(), opens, new CandidateTable(100, 100, stage.attachments::sender, (first, nanos) -> false,
                                                                                    candidate -> { }), demotions, stage.parts().admissions());
    }

    private Stage stage() {
        Stage made = new Stage();
        made.nanoClock = () -> nanos;
        return made;
    }

    @BeforeEach
    void manageAtOnce() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").with(Settings.MANAGE_AFTER_MILLIS, 0);
    }

    @AfterEach
    void stop() {
        loop.stop();
    }

    /** So many connections wait for rules of switch 1. */
    void othersWait(int many) {
        for (int number = 0; number < many; number++) {
            assertTrue(stage.parts().gate.hasTurn(Stage.tuple("10.0.0.1", 5000 + number), true));
        }
    }

    void othersGo(int many) {
        for (int number = 0; number < many; number++) {
            stage.parts().gate.leaves(Stage.tuple("10.0.0.1", 5000 + number));
        }
    }

    long later(long millis) {
        return nanos + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    void earn(int millis, int octets) {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").with(Settings.MANAGE_AFTER_MILLIS, millis)
                .with(Settings.MANAGE_AFTER_BYTES, octets);
    }

    /** A segment after which its sender has sent so many octets. */
    static Segment data(FiveTuple tuple, int octets) {
        return Segment.of(tuple, Segment.ACK, 1, 1, null, octets);
    }

    static Segment fin(FiveTuple tuple) {
        return Segment.of(tuple, Segment.ACK | Segment.FIN, 1, 1, null, 0);
    }

    Connection only() {
        done();
        assertEquals(1, stage.store.all().size());
        return stage.store.all().get(0);
    }

    void done() {
        loop.ask(() -> true, MILLIS);
    }

    /** Does something while the control loop is busy: what it hands over is done only afterwards. */
    void whileTheLoopIsBusy(Runnable something) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        loop.execute(() -> {
            begun.countDown();
            Uninterruptibles.awaitUninterruptibly(busy);
        });
        // The task has left the queue by then, so no place becomes free once that is full.
        Uninterruptibles.awaitUninterruptibly(begun);
        try {
            something.run();
        } finally {
            busy.countDown();
        }
        done();
    }
}
