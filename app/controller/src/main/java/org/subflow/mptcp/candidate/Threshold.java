// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.concurrent.TimeUnit;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.JoinPolicy;

/** The age or the traffic from which a connection gets rules. Immutable. */
public final class Threshold {
    /** The age of the first probe: most short connections have ended by then, and a transfer waits so long for its paths. */
    static final long FIRST_PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** The pause to the next probe of a connection that may have sent enough, or for which there was no time. */
    static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A connection that lives so long after a FIN or RST is not about to end. */
    static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** After so long without a packet a half-closed connection counts as ended. */
    static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** After so long without a packet a connection counts as ended whose end may have gone unseen. */
    static final long UNSEEN_END_NANOS = TimeUnit.SECONDS.toNanos(5);
    static final int MOST_DOUBLINGS = 10;
    static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    final long nanos;
    /** The octets of both directions together. */
    public final long octets;

    private Threshold(long nanos, long octets) {
        this.nanos = nanos;
        this.octets = octets;
    }

    /**
     * Makes a threshold.
     *
     * @param millis age in milliseconds, at least 0
     * @param octets octets of both directions together, at least 0
     * @return the threshold
     */
    public static Threshold of(long millis, long octets) {
        checkArgument(millis >= 0 && octets >= 0, "a threshold of %s ms and %s octets", millis, octets);
        return new Threshold(TimeUnit.MILLISECONDS.toNanos(millis), octets);
    }

    /**
     * Returns the threshold of a connection under a policy. A policy that blocks MP_JOINs or refuses connections must decide
     * before they begin, so it manages at once.
     *
     * @param policy   the connection's policy; not null
     * @param settings what holds where the policy says nothing; not null
     * @return the threshold
     */
    public static Threshold of(Policy policy, Settings settings) {
        Settings held = policy.over(settings);
        if (held.get(Settings.JOIN_POLICY) == JoinPolicy.BLOCK || policy.minimum() > 0) {
            return of(0, 0);
        }
        return of(held.get(Settings.MANAGE_AFTER_MILLIS), held.get(Settings.MANAGE_AFTER_BYTES));
    }

    /** Returns whether a connection needs neither age nor traffic. */
    public boolean isNone() {
        return nanos == 0 || octets == 0;
    }

    boolean isOld(long age) {
        return age >= nanos;
    }

    boolean isSent(long sent) {
        return sent >= octets;
    }
}
