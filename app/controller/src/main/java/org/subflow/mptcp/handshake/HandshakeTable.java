// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.DetectCounters;

/**
 * The handshakes that are not complete, bounded as {@link TrackerLimits} says: four queues, oldest first. Confined to
 * the tracker. Every operation is O(1) but for what it removes.
 */
final class HandshakeTable {
    private final TrackerLimits limits;
    private final DetectCounters counters;
    private final Map<FiveTuple, Handshake> all = new HashMap<>();
    private final Map<Handshake.Stage, Queues> stages = new EnumMap<>(Handshake.Stage.class);

    /** The handshakes of one stage, in the order in which they entered it. */
    private static final class Queues {
        private final Set<Handshake> ofKnown = new LinkedHashSet<>();
        private final Set<Handshake> ofStrangers = new LinkedHashSet<>();
        private final Map<IpAddress, Set<Handshake>> bySource = new HashMap<>();

        private Set<Handshake> of(Handshake handshake) {
            return handshake.knownSource ? ofKnown : ofStrangers;
        }

        private Set<Handshake> bySource(Handshake handshake) {
            return bySource.getOrDefault(handshake.fiveTuple().source(), Set.of());
        }

        private void add(Handshake handshake) {
            of(handshake).add(handshake);
            bySource.computeIfAbsent(handshake.fiveTuple().source(), source -> new LinkedHashSet<>()).add(handshake);
        }

        private void remove(Handshake handshake) {
            of(handshake).remove(handshake);
            bySource.computeIfPresent(handshake.fiveTuple().source(), (source, waiting) -> {
                waiting.remove(handshake);
                return waiting.isEmpty() ? null : waiting;
            });
        }
    }

    HandshakeTable(TrackerLimits limits, DetectCounters counters) {
        this.limits = limits;
        this.counters = counters;
        for (Handshake.Stage stage : Handshake.Stage.values()) {
            stages.put(stage, new Queues());
        }
    }

    int size() {
        return all.size();
    }

    /** Returns the number of sources that have a handshake here, each counted once for each stage. */
    int sources() {
        return stages.values().stream().mapToInt(queues -> queues.bySource.size()).sum();
    }

    /** Returns the handshake whose SYN had this five-tuple. */
    Optional<Handshake> get(FiveTuple fiveTuple) {
        return Optional.ofNullable(all.get(fiveTuple));
    }

    /** Adds a handshake of a five-tuple that has none. */
    void add(Handshake handshake, boolean knownSource, long now) {
        handshake.knownSource = knownSource;
        all.put(handshake.fiveTuple(), handshake);
        enter(handshake, Handshake.Stage.SYN, now);
    }

    /** Moves a handshake on when its SYN/ACK comes. */
    void answered(Handshake handshake, long now) {
        if (handshake.stage == Handshake.Stage.SYN) {
            stages.get(handshake.stage).remove(handshake);
            enter(handshake, Handshake.Stage.SYN_ACK, now);
        }
    }

    private void enter(Handshake handshake, Handshake.Stage stage, long now) {
        Queues queues = stages.get(stage);
        if (queues.bySource(handshake).size() >= limits.handshakesPerSource) {
            evict(queues.bySource(handshake), Counter.EVICTED_SOURCE_LIMIT);
        }
        if (queues.of(handshake).size() >= limits.handshakes) {
            evict(queues.of(handshake),
                  stage == Handshake.Stage.SYN ? Counter.EVICTED_SYN : Counter.EVICTED_SYN_ACK);
        }
        handshake.stage = stage;
        handshake.since = now;
        queues.add(handshake);
    }

    private void evict(Set<Handshake> waiting, Counter counter) {
        remove(waiting.iterator().next());
        counters.increment(counter);
    }

    void remove(Handshake handshake) {
        if (all.remove(handshake.fiveTuple(), handshake)) {
            stages.get(handshake.stage).remove(handshake);
        }
    }

    /** Forgets what has waited too long. */
    void expire(long now) {
        Queues syn = stages.get(Handshake.Stage.SYN);
        expire(syn.ofKnown, limits.synNanos, now, Counter.TIMEOUT_SYN);
        expire(syn.ofStrangers, limits.synNanos, now, Counter.TIMEOUT_SYN);
        Queues synAck = stages.get(Handshake.Stage.SYN_ACK);
        expire(synAck.ofKnown, TrackerLimits.SYN_ACK_NANOS, now, Counter.TIMEOUT_SYN_ACK);
        expire(synAck.ofStrangers, TrackerLimits.SYN_ACK_NANOS, now, Counter.TIMEOUT_SYN_ACK);
    }

    private void expire(Set<Handshake> waiting, long nanos, long now, Counter counter) {
        while (!waiting.isEmpty()) {
            Iterator<Handshake> oldest = waiting.iterator();
            Handshake handshake = oldest.next();
            if (now - handshake.since < nanos) {
                return;
            }
            remove(handshake);
            counters.increment(counter);
        }
    }
}
