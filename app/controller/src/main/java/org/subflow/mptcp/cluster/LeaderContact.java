// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;
import static com.google.common.base.Preconditions.checkState;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;

/** Asks the node that decides. Thread-safe. */
public final class LeaderContact {
    private final ClusterCommunicationService communication;
    private final Supplier<Optional<String>> leader;

    /**
     * Makes it.
     *
     * @param leader        knows the node that decides; not null
     */
    public LeaderContact(ClusterCommunicationService communication, Supplier<Optional<String>> leader) {
        this.communication = checkNotNull(communication, "communication");
        this.leader = checkNotNull(leader, "leader");
    }

    /** Returns the node that decides; empty if none does. */
    public Optional<String> leader() {
        return leader.get();
    }

    /**
     * Asks, and waits for the answer.
     *
     * @param subject  the kind of question; not null
     * @param question the question; not null
     * @param millis   how long to wait at most
     * @return the answer
     * @throws IllegalStateException if no node decides, or it does not answer
     */
    public byte[] ask(MessageSubject subject, byte[] question, long millis) {
        String to = leader.get().orElseThrow(() -> new IllegalStateException("no node decides now; ask again later"));
        try {
            byte[] answer = communication.sendAndReceive(question, subject, UnaryOperator.<byte[]>identity(),
                                                         UnaryOperator.<byte[]>identity(), NodeId.nodeId(to), Duration.ofMillis(millis))
                    .get(millis, TimeUnit.MILLISECONDS);
            checkState(!RelayReceiver.isNone(answer), "node %s, which decides, has no answer; its log says why", to);
            return answer;
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("node " + to + ", which decides, does not answer; ask again later", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the question has been given up", e);
        }
    }
}
