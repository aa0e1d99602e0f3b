// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * What a {@link HandshakeTracker} may hold and for how long. Immutable.
 *
 * <p>Handshakes wait in four queues: before and after the SYN/ACK, and in each of the two apart, those of sources that
 * completed a handshake lately and those of strangers. Each queue has room for {@link #handshakes}; so a flood from
 * forged sources pushes out neither its own answered handshakes nor anything of the hosts that work here. A queue that
 * is full forgets its oldest entry: at 20,000 SYN/s an entry of the default size still has 0.4 s to get its answer.
 */
public final class TrackerLimits {
    /** The limits in use. */
    public static final TrackerLimits DEFAULTS = new TrackerLimits(8192, 1024, 8192, 8192, 4096, TimeUnit.SECONDS.toNanos(10));

    /** How long a SYN/ACK waits for the third ACK, nanoseconds: four retransmissions. */
    static final long SYN_ACK_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** How long rules may be on their way, nanoseconds: later segments are those of an unknown connection. */
    static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** How long connections without a handshake are watched for their second direction, nanoseconds. */
    static final long MIDSTREAM_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * How many HMACs the MP_JOINs of a port may cost in a second. An honest one costs two, or one where only copies come; behind a
     * router twice as many.
     */
    static final int HMACS_PER_SECOND = 8000;

    /** How many handshakes each of the four queues may hold. */
    final int handshakes;
    /**
     * How many handshakes of one source address may wait before, and as many after, the SYN/ACK. One more makes the tracker
     * forget the oldest of that source.
     */
    final int handshakesPerSource;
    /** How many connections just established are remembered. */
    final int recent;
    /** How many connections without a handshake are watched for their second direction. */
    final int midstream;
    /** How many sources are remembered for having completed a handshake. */
    final int knownSources;
    /** How long a SYN waits for its answer: a host that sends its SYN again later than that begins a new handshake. */
    final long synNanos;

    /** Makes limits; IllegalArgumentException if one is less than 1. */
    public TrackerLimits(int handshakes, int handshakesPerSource, int recent, int midstream, int knownSources, long synNanos) {
        checkArgument(synNanos > 0 && IntStream.of(handshakes, handshakesPerSource, recent, midstream, knownSources)
                .allMatch(limit -> limit > 0), "every limit must be at least 1");
        this.handshakes = handshakes;
        this.handshakesPerSource = handshakesPerSource;
        this.recent = recent;
        this.midstream = midstream;
        this.knownSources = knownSources;
        this.synNanos = synNanos;
    }
}
