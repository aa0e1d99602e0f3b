// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.candidate.Candidate;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.token.ConnectionKeys;

/** Makes managed connections of candidates that are promoted. Used by the control loop only, unless a method says otherwise. */
public final class Openings {
    /** Has the control loop do something; false if too much waits there. */
    private final Predicate<Runnable> loop;
    private final HandshakeHandler.State known;
    private final Admissions admissions;
    private final Endings endings;
    private final UnmanagedTraffic unmanaged;
    private final Demotions demotions;
    private final Clock clock;

    public Openings(Predicate<Runnable> loop, HandshakeHandler.State known, Admissions admissions, Endings endings,
                    UnmanagedTraffic unmanaged, Demotions demotions, Clock clock) {
        this.loop = checkNotNull(loop, "loop");
        this.known = checkNotNull(known, "known");
        this.admissions = checkNotNull(admissions, "admissions");
        this.endings = checkNotNull(endings, "endings");
        this.unmanaged = checkNotNull(unmanaged, "unmanaged");
        this.demotions = checkNotNull(demotions, "demotions");
        this.clock = checkNotNull(clock, "clock");
    }

    /** Opens a connection that has earned its rules, or lets it go the plain way for good. */
    void open(Opening opening, ConnectionKeys keys, boolean byAge) {
        if (admissions.isClosed()) {
            return;
        }
        FiveTuple tuple = opening.first;
        endings.begins(tuple);
        opening.joins.forEach(join -> endings.begins(join.tuple));
        Optional<Connection> awaited = known.awaited.withFirst(tuple);
        ConnectionId id = awaited.map(Connection::id).orElseGet(() -> freeId(keys, tuple));
        boolean managed = false;
        try {
            if (awaited.isPresent()) {
                begin(awaited.get(), opening, keys);
            }
            managed = awaited.isPresent() || admissions.connections.opened(
                    id, opening, keys.version.number, keys.initiatorToken.orElse(null),
                    keys.listenerToken.orElse(null), clock.epochMillis());
        } finally {
            if (managed) {
                known.keys.put(id, keys);
                // Admission has closed the previous connection with this five-tuple, and removed its tokens.
                known.tokens.register(tuple, keys);
                if (byAge && !awaited.isPresent()) {
                    demotions.begin(id);
                }
            } else {
                // Refused, or failed with an exception.
                known.tokens.remove(tuple);
                unmanaged.refused(tuple);
            }
        }
    }

    private void begin(Connection awaited, Opening opening, ConnectionKeys keys) {
        known.awaited.begun(awaited.id());
        admissions.joins.begun(awaited, opening, keys.version.number, keys.initiatorToken.orElse(null),
                        keys.listenerToken.orElse(null));
    }

    /**
     * Catches up on what has ended while the connection of a candidate was opened. For the tracking.
     *
     * @return whether the connection is managed
     */
    boolean catchUp(Candidate done) {
        boolean isManaged = known.store.owner(done.first()).isPresent();
        List<FiveTuple> senders = done.ended();
        if (isManaged && !senders.isEmpty()) {
            long nowMillis = clock.millis();
            // If too much waits there, it ends by its idle time.
            boolean unused = loop.test(() -> senders.forEach(sender -> endings.ended(sender, false, nowMillis)));
        }
        return isManaged;
    }

    /** Drops the tokens of a connection. Any thread may call. */
    void dropTokens(FiveTuple first) {
        known.tokens.remove(first);
    }

    /** Drops what is kept for a candidate that has ended or that the table had to give up. For the tracking. */
    public void forgotten(Candidate candidate) {
        candidate.keys().ifPresent(keys -> known.tokens.remove(candidate.first(), keys));
        unmanaged.ignoreAll(candidate.tuples());
    }

    /**
     * Returns an identifier that is free: the server's token, with a number appended if another connection has the same
     * token.
     */
    private ConnectionId freeId(ConnectionKeys keys, FiveTuple tuple) {
        String base = keys.listenerToken.map(Token::toString)
                .orElseGet(() -> String.format("t%08x", tuple.hashCode()));
        ConnectionId id = ConnectionId.of(base);
        for (int number = 2; known.store.get(id).filter(other -> !other.first().tuple().equals(tuple)).isPresent(); number++) {
            id = ConnectionId.of(base + "-" + number);
        }
        return id;
    }
}
