// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.concurrent.TimeUnit;

/**
 * What a {@link HandshakeTracker} may hold and for how long. Immutable; start from {@link #defaults()}.
 *
 * <p>Handshakes wait in four queues: before and after the SYN/ACK, and in each of the two apart, those of sources that
 * completed a handshake lately and those of strangers. Each queue has room for {@link #handshakes()}; so a flood from
 * forged sources pushes out neither its own answered handshakes nor anything of the hosts that work here. A queue that
 * is full forgets its oldest entry: at 20,000 SYN/s an entry of the default size still has 0.4 s to get its answer.
 */
public final class TrackerLimits {
    private static final TrackerLimits DEFAULTS = new TrackerLimits(new Builder());

    private final int handshakes;
    private final int handshakesPerSource;
    private final long synNanos;
    private final long synAckNanos;
    private final int recent;
    private final long recentNanos;
    private final int midstream;
    private final long midstreamNanos;
    private final int knownSources;

    private TrackerLimits(Builder builder) {
        this.handshakes = builder.handshakes;
        this.handshakesPerSource = builder.handshakesPerSource;
        this.synNanos = builder.synNanos;
        this.synAckNanos = builder.synAckNanos;
        this.recent = builder.recent;
        this.recentNanos = builder.recentNanos;
        this.midstream = builder.midstream;
        this.midstreamNanos = builder.midstreamNanos;
        this.knownSources = builder.knownSources;
    }

    /** Returns the defaults, which each method of {@link Builder} names. */
    public static TrackerLimits defaults() {
        return DEFAULTS;
    }

    /** Returns a builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns how many handshakes each of the four queues may hold. */
    public int handshakes() {
        return handshakes;
    }

    /**
     * Returns how many handshakes of one source address may wait before, and as many after, the SYN/ACK. One more makes the
     * tracker forget the oldest of that source.
     */
    public int handshakesPerSource() {
        return handshakesPerSource;
    }

    /** Returns how long a SYN waits for its answer, in nanoseconds. */
    public long synNanos() {
        return synNanos;
    }

    /** Returns how long a SYN/ACK waits for the third ACK, in nanoseconds. */
    public long synAckNanos() {
        return synAckNanos;
    }

    /** Returns how many connections just established are remembered. */
    public int recent() {
        return recent;
    }

    /** Returns how long they are remembered, in nanoseconds. */
    public long recentNanos() {
        return recentNanos;
    }

    /** Returns how many connections without a handshake are watched for their second direction. */
    public int midstream() {
        return midstream;
    }

    /** Returns how long they are watched, in nanoseconds. */
    public long midstreamNanos() {
        return midstreamNanos;
    }

    /** Returns how many sources are remembered for having completed a handshake. */
    public int knownSources() {
        return knownSources;
    }

    /** Collects limits. Every method throws {@link IllegalArgumentException} for less than 1. */
    public static final class Builder {
        private int handshakes = 8192;
        private int handshakesPerSource = 1024;
        private long synNanos = TimeUnit.SECONDS.toNanos(10);
        private long synAckNanos = TimeUnit.SECONDS.toNanos(30);
        private int recent = 8192;
        private long recentNanos = TimeUnit.SECONDS.toNanos(3);
        private int midstream = 8192;
        private long midstreamNanos = TimeUnit.SECONDS.toNanos(10);
        private int knownSources = 4096;

        private Builder() {
        }

        /** Sets the size of each of the four queues of handshakes; 8192 by default. */
        public Builder handshakes(int value) {
            handshakes = positive("handshakes", value);
            return this;
        }

        /** Sets how many handshakes of one source address may wait in each stage; 1024 by default. */
        public Builder handshakesPerSource(int value) {
            handshakesPerSource = positive("handshakes per source", value);
            return this;
        }

        /**
         * Sets how long a SYN waits for its answer; 10 s by default: a host that sends its SYN again later than that
         * begins a new handshake.
         */
        public Builder synTimeout(long value, TimeUnit unit) {
            synNanos = positive("SYN time-out", unit.toNanos(value));
            return this;
        }

        /** Sets how long a SYN/ACK waits for the third ACK; 30 s by default: four retransmissions. */
        public Builder synAckTimeout(long value, TimeUnit unit) {
            synAckNanos = positive("SYN/ACK time-out", unit.toNanos(value));
            return this;
        }

        /** Sets how many connections just established are remembered; 8192 by default. */
        public Builder recent(int value) {
            recent = positive("recent connections", value);
            return this;
        }

        /** Sets how long rules may be on their way; 3 s by default: later segments are those of an unknown one. */
        public Builder recentTime(long value, TimeUnit unit) {
            recentNanos = positive("recent time", unit.toNanos(value));
            return this;
        }

        /** Sets how many connections without a handshake are watched; 8192 by default. */
        public Builder midstream(int value) {
            midstream = positive("midstream connections", value);
            return this;
        }

        /** Sets how long they are watched for their second direction; 10 s by default. */
        public Builder midstreamTime(long value, TimeUnit unit) {
            midstreamNanos = positive("midstream time", unit.toNanos(value));
            return this;
        }

        /** Sets how many sources are remembered for having completed a handshake; 4096 by default. */
        public Builder knownSources(int value) {
            knownSources = positive("known sources", value);
            return this;
        }

        /** Returns the limits. */
        public TrackerLimits build() {
            return new TrackerLimits(this);
        }

        private static int positive(String name, int value) {
            return (int) positive(name, (long) value);
        }

        private static long positive(String name, long value) {
            checkArgument(value > 0, "%s must be at least 1, not %s", name, value);
            return value;
        }
    }
}
