// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.onlab.packet.ChassisId;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.admission.Demotions;
import org.subflow.mptcp.admission.HandshakeHandler;
import org.subflow.mptcp.admission.ManagedTraffic;
import org.subflow.mptcp.admission.Openings;
import org.subflow.mptcp.admission.Promotion;
import org.subflow.mptcp.admission.UnmanagedTraffic;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.candidate.Candidate;
import org.subflow.mptcp.candidate.CandidateTable;
import org.subflow.mptcp.handshake.HandshakeTracker;
import org.subflow.mptcp.handshake.TrackedNow;
import org.subflow.mptcp.handshake.TrackerLimits;
import org.subflow.mptcp.plain.BusyServices;
import org.subflow.mptcp.plain.PlainTraffic;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.FlagCopies;
import org.subflow.mptcp.segment.Ignored;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.token.TokenOwner;
import org.subflow.mptcp.token.TokenTable;

/**
 * Hosts of a life that speak TCP. Their segments come lost, late, doubled and in any order, with forged ones between, and
 * connections become candidates and earn their paths by what they send. Each start of the application begins with none known.
 */
final class Speakers {
    static final int MOST_CANDIDATES = 8;
    private static final int MOST_OF_HOST = 5;
    private static final int MOST_OCTETS = 60_000;

    private final FaultyOnos life;
    private final ConnectionStore store;
    private final TokenTable tokens;
    private final CandidateTable candidates;
    private final HandshakeHandler handler;
    private final TrackedNow tracked;
    private final Demotions demotions;
    private final Device device;

    Speakers(FaultyOnos life, Stores stores) {
        this.life = life;
        store = stores.connections;
        tokens = stores.tokens;
        device = new DefaultDevice(ProviderId.NONE, DeviceId.deviceId("of:1"), Device.Type.SWITCH, "", "", "", "", new ChassisId(),
                                   DefaultAnnotations.builder().set("tcpFlags", life.copying ? "copied" : "none").build());
        Wiring parts = life.parts;
        Stage network = life.network;
        DetectCounters counters = new DetectCounters();
        FlagCopies copies = new FlagCopies(new DeviceServiceAdapter() {
            @Override
            public Device getDevice(DeviceId id) {
                return device;
            }
        });
        BusyServices services = new BusyServices(network.attachments::isOwn, network.clock::nanos);
        // What becomes of plain TCP is another test's.
        OwnRules plain = new OwnRules(new FlowRuleServiceAdapter(), life.switches, FaultyOnos.APP);
        UnmanagedTraffic unmanaged = new UnmanagedTraffic(
                new PlainTraffic(plain, network, network.attachments, () -> network.settings, now -> now, network.clock::nanos), services,
                new WakeRules(plain, network.clock::nanos, full -> { }), copies, network.attachments, new Ignored(counters), counters);
        HandshakeHandler.State known = new HandshakeHandler.State(store, stores.keys, tokens, parts.awaited);
        demotions = new Demotions(store, parts.meter, parts.provisioner, parts.policies, unmanaged, (first, nanos) -> false);
        Openings openings = new Openings(life.loop, known, parts.admissions(), parts.endings, unmanaged, demotions, network.clock);
        candidates = new CandidateTable(MOST_CANDIDATES, MOST_OF_HOST, network.attachments::sender, (first, nanos) -> false, openings::forgotten);
        Promotion promotion = new Promotion(life.loop, candidates, openings, unmanaged, parts.ruleTimes, parts.gate, network.clock);
        ManagedTraffic managed = new ManagedTraffic(life.loop, store, parts.admissions(), parts.endings, unmanaged, demotions,
                                                    network.clock);
        handler = new HandshakeHandler(candidates, known, managed, unmanaged, promotion, parts.policies, network.clock);
        tracked = new TrackedNow(new HandshakeTracker(TrackerLimits.DEFAULTS, tokens, counters), counters, handler, network.clock);
    }

    /** Lets time go on: connections grow older, and those that send little are demoted. */
    void second() {
        handler.age(life.network.clock.nanos());
        handler.sweep();
        tracked.expire();
        demotions.tick(life.network.millis);
    }

    /** A handshake by chance: its segments come at once or later, as they were sent or not. */
    void shakeHands(Talk talk) {
        // The application may have started anew when one comes.
        List<Runnable> segments = new ArrayList<>(List.of(() -> life.speakers.begin(talk), () -> life.speakers.answer(talk),
                                                          () -> life.speakers.ack(talk), () -> life.speakers.send(talk)));
        if (life.faults.hit(20)) {
            int earlier = life.faults.random.nextInt(3);
            segments.add(earlier, segments.remove(earlier + 1));
        }
        for (Runnable segment : segments) {
            if (life.faults.hit(10)) {
                forge(talk);
            }
            if (life.faults.hit(15)) {
                life.faults.later(segment);
            } else if (!life.faults.hit(8)) {
                segment.run();
            }
            if (life.faults.hit(10)) {
                life.faults.later(segment);
            }
        }
    }

    private void begin(Talk talk) {
        talk.isBegun = true;
        comes(talk, talk.syn());
    }

    private void answer(Talk talk) {
        talk.isAnswered = true;
        talk.isInOrder |= talk.isBegun;
        comes(talk, talk.answer());
    }

    private void ack(Talk talk) {
        talk.hasShownKeys |= talk.isInOrder && !talk.hasSent && !life.copying;
        comes(talk, talk.ack());
    }

    /** Its client sends something, if its server has taken it. */
    void send(Talk talk) {
        if (talk.wrong == Talk.Wrong.NONE && !life.ended.contains(talk.tuple)) {
            talk.hasSent = true;
            comes(talk, talk.data(1 + life.faults.random.nextInt(MOST_OCTETS)));
        }
    }

    private void forge(Talk talk) {
        comes(talk, talk.forged(life.faults.random));
    }

    /** One host of both ends it. */
    void end(Talk talk, boolean isReset) {
        life.ended.add(talk.tuple);
        life.ended.add(talk.tuple.reversed());
        life.sending.removeAll(life.ended);
        comes(talk, talk.end(true, isReset));
        if (!life.faults.hit(10)) {
            comes(talk, talk.end(false, isReset));
        }
    }

    /** A packet of a connection that is idle. */
    void wake(FiveTuple tuple) {
        deliver(Segment.of(tuple, Segment.ACK, life.faults.random.nextInt(), 1, null, 1000));
    }

    private void comes(Talk talk, Segment segment) {
        if (talk.isBegun && talk.isAnswered && mayBeTaken(talk)) {
            life.admit(talk.tuple);
        }
        deliver(segment);
    }

    /** Returns whether the controller, by what it sees, may take it for a subflow. */
    private boolean mayBeTaken(Talk talk) {
        boolean isUnchecked = talk.version == MptcpVersion.V1 && !talk.first.hasShownKeys;
        boolean isUnseen = life.copying && talk.wrong == Talk.Wrong.ACK;
        return !talk.isRefused && (talk.wrong == Talk.Wrong.NONE || isUnchecked || isUnseen);
    }

    private void deliver(Segment segment) {
        boolean isCopy = segment.isOpening() || segment.isFin() || segment.isReset();
        if (life.copying && isCopy) {
            tracked.copied(segment);
        } else if (!life.copying || handler.isAwaited(segment.fiveTuple())) {
            tracked.forwarded(segment);
        }
    }

    /** Returns what is wrong at any moment. */
    Optional<String> bounds() {
        return candidates.size() > MOST_CANDIDATES ? Optional.of(candidates.size() + " candidates") : Optional.empty();
    }

    /** Returns what is wrong once everything has come to rest: tokens of nobody, and candidates that nobody decides on. */
    List<String> differences(List<Talk> talks) {
        List<String> wrong = new ArrayList<>();
        for (Talk talk : talks) {
            for (TokenOwner owner : tokens.find(talk.token())) {
                FiveTuple first = owner.connection;
                if (!store.owner(first).isPresent() && !candidates.of(first).isPresent()) {
                    wrong.add("a token of " + first + ", which is gone");
                }
            }
            if (candidates.of(talk.tuple).filter(Candidate::isSubmitted).isPresent()) {
                wrong.add(talk.tuple + " waits for a decision");
            }
        }
        return wrong;
    }
}
