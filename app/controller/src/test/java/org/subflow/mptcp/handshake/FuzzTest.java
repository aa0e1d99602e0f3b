// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.SegmentReader;
import org.subflow.mptcp.segment.option.MalformedReason;
import org.subflow.mptcp.token.TokenTable;

/**
 * Mutated frames of the captures through reader, parser and tracker: nothing throws, nothing grows, and the mutations
 * reach every way in which options can be malformed. 100,000 frames; {@code -Dmptcp.fuzz=1000000} for more.
 */
class FuzzTest {
    private static final int FRAMES = Integer.getInteger("mptcp.fuzz", 100_000);
    private static final int LIMIT = 500;
    private static final int ETHERNET = 14;
    private static final int TCP = ETHERNET + 20;

    private final Random random = new Random(20260101);
    private final DetectCounters counters = new DetectCounters();
    private final SegmentReader reader = new SegmentReader(counters);
    private final TokenTable tokens = new TokenTable();
    private final HandshakeTracker tracker = new HandshakeTracker(
            new TrackerLimits(LIMIT, LIMIT / 2, LIMIT, LIMIT, LIMIT, TrackerLimits.DEFAULTS.synNanos), tokens, counters);
    private final Set<Decision.Kind> kinds = EnumSet.noneOf(Decision.Kind.class);
    private int segments;

    @Test
    void mutatedCaptures() throws IOException {
        List<byte[]> seeds = seeds();
        long now = 0;
        for (int i = 0; i < FRAMES; i++) {
            // Neighbours in the captures mostly follow each other, so that handshakes get far before they break.
            byte[] frame = mutate(seeds.get(random.nextInt(4) == 0 ? random.nextInt(seeds.size())
                                                    : i % seeds.size()).clone());
            now += random.nextInt(2_000_000);
            give(frame, now);
            if (i % 1000 == 0) {
                assertBounded();
            }
        }
        assertBounded();
        tracker.expire(now + TimeUnit.MINUTES.toNanos(5));
        assertEquals(0, tracker.handshakes() + tracker.recent() + tracker.midstream());
        assertReach();
    }

    private void give(byte[] frame, long now) {
        reader.read(frame).ifPresent(segment -> {
            segments++;
            Decision decision = tracker.process(segment, now);
            kinds.add(decision.kind);
            assertEquals(decision.kind == Decision.Kind.ESTABLISHED, decision.event.isPresent());
            decision.event.filter(CapableEstablished.class::isInstance).map(CapableEstablished.class::cast)
                    .ifPresent(event -> {
                        tokens.register(event.fiveTuple, event.keys);
                        if (tokens.size() > LIMIT) {
                            tokens.remove(event.fiveTuple);
                        }
                    });
        });
    }

    private void assertBounded() {
        assertTrue(tracker.handshakes() <= 4 * LIMIT && tracker.recent() <= LIMIT && tracker.midstream() <= LIMIT,
                   () -> tracker.handshakes() + " handshakes, " + tracker.recent() + " recent, "
                           + tracker.midstream() + " midstream");
    }

    private void assertReach() {
        assertTrue(segments > FRAMES / 4, () -> segments + " segments");
        Map<String, Long> snapshot = counters.snapshot();
        for (MalformedReason reason : MalformedReason.values()) {
            assertTrue(counters.get(reason) > 0, () -> reason + " was not reached: " + snapshot);
        }
        for (Counter counter : List.of(Counter.SEGMENTS_TRUNCATED, Counter.SEGMENTS_FRAGMENT,
                                       Counter.ESTABLISHED_CAPABLE_V1, Counter.ESTABLISHED_JOIN,
                                       Counter.ESTABLISHED_FALLBACK, Counter.JOIN_UNKNOWN_TOKEN,
                                       Counter.CAPABLE_KEY_MISMATCH, Counter.SYN_REUSED)) {
            assertTrue(counters.get(counter) > 0, () -> counter + " was not reached: " + snapshot);
        }
        assertEquals(EnumSet.allOf(Decision.Kind.class), kinds);
    }

    /** Frames with SYN or with an option of the handshake, and a few others. */
    private static List<byte[]> seeds() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (String capture : List.of("plain-tcp-no-mptcp.pcap", "fallback-server-plain-tcp.pcap",
                                      "single-homed-3sf-3-addresses.pcap", "single-homed-3sf-port-endpoints.pcap")) {
            List<PcapReader.Frame> frames = PcapReader.read(capture);
            frames.subList(0, Math.min(25, frames.size())).forEach(frame -> seeds.add(frame.octets));
        }
        return seeds;
    }

    private byte[] mutate(byte[] frame) {
        for (int count = random.nextInt(3); count > 0; count--) {
            switch (random.nextInt(8)) {
                case 0:
                    int at = random.nextInt(frame.length);
                    frame[at] = (byte) (frame[at] ^ 1 << random.nextInt(8));
                    break;
                case 1:
                    set(frame, random.nextInt(frame.length), random.nextInt(256));
                    break;
                case 2:
                    set(frame, TCP + 13, random.nextInt(256));
                    break;
                case 3:
                    set(frame, TCP + 12, random.nextInt(256));
                    break;
                case 4:
                    frame = Arrays.copyOf(frame, random.nextInt(frame.length + 1));
                    break;
                case 5:
                    // Another client port: a flood of five-tuples.
                    set(frame, TCP, random.nextInt(256));
                    break;
                case 6:
                    mutateOption(frame);
                    break;
                default:
                    copyOption(frame);
                    break;
            }
            if (frame.length == 0) {
                return frame;
            }
        }
        return frame;
    }

    private static void set(byte[] frame, int at, int value) {
        if (at < frame.length) {
            frame[at] = (byte) value;
        }
    }

    private int option(byte[] frame) {
        for (int at = TCP + 20; at + 1 < frame.length; at++) {
            if (frame[at] == 30) {
                return at;
            }
        }
        return frame.length;
    }

    /** Changes length, subtype or what follows it in a kind-30 option. */
    private void mutateOption(byte[] frame) {
        set(frame, option(frame) + 1 + random.nextInt(4), random.nextInt(random.nextBoolean() ? 32 : 256));
    }

    /** Writes a short kind-30 option over what stands at the start of the options: several of them. */
    private void copyOption(byte[] frame) {
        int[] subtypes = {0x01, 0x00, 0x10, 0x50, 0x80, 0xf0, 0x02};
        set(frame, TCP + 20, 30);
        set(frame, TCP + 21, 2 + random.nextInt(3));
        set(frame, TCP + 22, subtypes[random.nextInt(subtypes.length)]);
        set(frame, TCP + 23, 1);
    }
}
