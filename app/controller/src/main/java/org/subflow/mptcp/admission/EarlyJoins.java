// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.subflow.mptcp.handshake.JoinAttempt;
import org.subflow.mptcp.handshake.SegmentHandler;
import org.subflow.mptcp.token.TokenDirectory;

/**
 * SYNs with an MP_JOIN that came to the controller before their connection was known. Another switch copies the SYN/ACK that
 * shows its token, so that the two may overtake each other. Such a SYN waits for a moment: forwarded, it could not be refused
 * any more.
 *
 * <p>Used by the tracking only.
 */
final class EarlyJoins {
    /** The most that wait; further ones are forwarded at once. */
    static final int MOST = 1024;
    /** So long one waits at least: far longer than a copy takes, far shorter than until TCP sends a SYN again. */
    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final TokenDirectory tokens;
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    private static final class Waiting {
        final JoinAttempt attempt;
        final Runnable forward;
        final long since;

        Waiting(JoinAttempt attempt, Runnable forward, long since) {
            this.attempt = attempt;
            this.forward = forward;
            this.since = since;
        }
    }

    EarlyJoins(TokenDirectory tokens) {
        this.tokens = checkNotNull(tokens, "tokens");
    }

    /** Lets a SYN with an unknown token wait, or forwards it if too many wait. */
    void hold(JoinAttempt attempt, Runnable forward, long now) {
        if (waiting.size() < MOST) {
            waiting.add(new Waiting(attempt, forward, now));
        } else {
            forward.run();
        }
    }

    /** Hands over those whose tokens are known by now. */
    void handOver(SegmentHandler handler) {
        if (waiting.isEmpty()) {
            return;
        }
        List<Runnable> known = new ArrayList<>();
        waiting.removeIf(one -> {
            JoinAttempt now = one.attempt.lookedUp(tokens);
            if (now.owner.isPresent()) {
                known.add(() -> handler.joinAttempted(now, one.forward));
            }
            return now.owner.isPresent();
        });
        known.forEach(Runnable::run);
    }

    /** Forwards those that have waited long enough: their connection began before the application did, or is not managed. */
    void letGo(long now) {
        while (!waiting.isEmpty() && now - waiting.peek().since >= PATIENCE_NANOS) {
            waiting.remove().forward.run();
        }
    }
}
