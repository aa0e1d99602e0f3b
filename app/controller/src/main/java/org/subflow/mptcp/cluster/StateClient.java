// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of the node that decides, as this node heard of it last. It is asked for when somebody wants to know, at most twice a
 * second. If there is no answer, the last one stays. Thread-safe.
 *
 * @param <S> the kind of state
 */
public final class StateClient<S> {
    /** An answer is used for so long, milliseconds. */
    static final long FRESH_MILLIS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(StateClient.class);
    private static final long ANSWER_MILLIS = 2000;
    private static final byte[] QUESTION = {0};

    private final ClusterCommunicationService communication;
    private final Supplier<Optional<String>> leader;
    private final Function<byte[], S> form;
    private final LongSupplier clockMillis;
    private S last;
    private long heardMillis = -1;
    private long askedMillis = -FRESH_MILLIS;

    /**
     * Makes a client that has heard nothing.
     *
     * @param communication ONOS's cluster communication; not null
     * @param leader        knows the node that decides; not null
     * @param form          reads an answer; not null
     * @param nothing       the state before the first answer
     * @param clockMillis   a monotonic clock, milliseconds; not null
     */
    public StateClient(ClusterCommunicationService communication, Supplier<Optional<String>> leader, Function<byte[], S> form,
                       S nothing, LongSupplier clockMillis) {
        this.communication = checkNotNull(communication, "communication");
        this.leader = checkNotNull(leader, "leader");
        this.form = checkNotNull(form, "form");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
        this.last = nothing;
    }

    /** Returns the newest state that this node can get; waits for an answer if there is no fresh one. */
    public synchronized S state() {
        long now = clockMillis.getAsLong();
        Optional<String> to = leader.get();
        if (to.isPresent() && now - askedMillis >= FRESH_MILLIS) {
            ask(NodeId.nodeId(to.get()));
            askedMillis = clockMillis.getAsLong();
        }
        return last;
    }

    private void ask(NodeId to) {
        try {
            last = communication.sendAndReceive(QUESTION, StateServer.SUBJECT, Function.<byte[]>identity(), form, to,
                                                Duration.ofMillis(ANSWER_MILLIS))
                    .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
            heardMillis = clockMillis.getAsLong();
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.debug("{} does not answer", to, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns how old the last answer is, milliseconds; -1 if there was none. */
    public synchronized long ageMillis() {
        return heardMillis < 0 ? -1 : clockMillis.getAsLong() - heardMillis;
    }
}
