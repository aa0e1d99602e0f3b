// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.util.Optional;
import java.util.function.Predicate;
import org.subflow.mptcp.api.FiveTuple;

/**
 * A handshake that is not complete, under the five-tuple of its SYN.
 *
 * <p>It remembers the two latest attempts, that is SYNs of different sequence numbers: a host that opens the same
 * five-tuple anew is followed, and one forged SYN does not hide the true one. Confined to the tracker.
 */
final class Handshake {
    /** How far the handshake is. */
    enum Stage {
        SYN,
        SYN_ACK
    }

    private final FiveTuple fiveTuple;
    private Attempt latest;
    private Attempt other;

    /** Managed by {@link HandshakeTable}. */
    Stage stage;
    boolean knownSource;
    long since;

    Handshake(FiveTuple fiveTuple, Attempt attempt) {
        this.fiveTuple = fiveTuple;
        this.latest = attempt;
    }

    FiveTuple fiveTuple() {
        return fiveTuple;
    }

    /** Adds an attempt; of the two before, one that was answered stays. */
    void add(Attempt attempt) {
        if (other == null || latest.answered() || !other.answered()) {
            other = latest;
        }
        latest = attempt;
    }

    /** Forgets an attempt; returns whether none is left. */
    boolean forget(Attempt attempt) {
        if (attempt == latest) {
            latest = other;
        }
        other = null;
        return latest == null;
    }

    /** Returns the latest attempt that fits. */
    Optional<Attempt> find(Predicate<Attempt> fits) {
        if (fits.test(latest)) {
            return Optional.of(latest);
        }
        return other != null && fits.test(other) ? Optional.of(other) : Optional.empty();
    }
}
