// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of the node that decides, as this node heard of it last. It is asked for when somebody wants to know, at most twice a
 * second. If there is no answer, the last one stays, or what this node knew itself when it ceased to decide. Thread-safe.
 *
 * @param <S> the kind of state
 */
public final class StateClient<S> {
    /** An answer is used for so long, milliseconds. */
    static final long FRESH_MILLIS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(StateClient.class);
    private static final long ANSWER_MILLIS = 2000;
    private static final long HEARD_MILLIS = 2000;
    private static final byte[] QUESTION = {0};

    private final LeaderContact leader;
    private final Function<byte[], S> form;
    private final LongSupplier clockMillis;
    private S last;
    private long heardMillis = -1;
    private Optional<String> heardOf = Optional.empty();
    private long askedMillis = -FRESH_MILLIS;

    /**
     * Makes a client that has heard nothing.
     *
     * @param leader      reaches the node that decides; not null
     * @param form        reads an answer; not null
     * @param nothing     the state before the first answer
     * @param clockMillis a monotonic clock, milliseconds; not null
     */
    public StateClient(LeaderContact leader, Function<byte[], S> form, S nothing, LongSupplier clockMillis) {
        this.leader = checkNotNull(leader, "leader");
        this.form = checkNotNull(form, "form");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
        this.last = nothing;
    }

    /** Returns the newest state that this node can get; waits for an answer if there is no fresh one. */
    public synchronized S state() {
        if (leader.leader().isPresent() && clockMillis.getAsLong() - askedMillis >= FRESH_MILLIS) {
            ask();
            askedMillis = clockMillis.getAsLong();
        }
        return last;
    }

    private void ask() {
        Optional<String> asked = leader.leader();
        try {
            last = form.apply(leader.ask(Responder.STATE, QUESTION, ANSWER_MILLIS));
            heardMillis = clockMillis.getAsLong();
            heardOf = asked;
        } catch (RuntimeException e) {
            LOG.debug("The last answer stays", e);
        }
    }

    /** Keeps the last state of this node, which has just ceased to decide, until another one answers. */
    public synchronized void keep(S own) {
        last = checkNotNull(own, "own");
        heardMillis = clockMillis.getAsLong();
        heardOf = Optional.empty();
    }

    /** Returns whether the node that decides has answered a moment ago: then it has begun to decide. */
    public synchronized boolean isHeard() {
        return leader.leader().isPresent() && leader.leader().equals(heardOf) && ageMillis() <= HEARD_MILLIS;
    }

    /** Returns how old the last answer is, milliseconds; -1 if there was none. */
    public synchronized long ageMillis() {
        return heardMillis < 0 ? -1 : clockMillis.getAsLong() - heardMillis;
    }
}
