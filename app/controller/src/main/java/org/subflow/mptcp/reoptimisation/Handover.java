// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reoptimisation;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.intent.PathTail;
import org.subflow.mptcp.intent.SubflowRoute;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.routing.Routes;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Moves live subflows to other paths, make before break. Transition rules of the new path come first, behind the switch
 * where the paths diverge. Then that switch sends packets to the new path. The old rules go when the last packets have left
 * the old path.
 *
 * <p>Any other change of the connection (a lost path, an MP_JOIN, its end) submits it without transition rules, which ends
 * the handover at any step. Used by the control loop only.
 */
public final class Handover {
    /** How long the old rules stay: longer than packets wait in the queues of a path. */
    public static final long PASSING_MILLIS = 1500;

    private static final long TIMEOUT_MILLIS = 10_000;

    private final ConnectionStore store;
    private final NetworkView network;
    private final Provisioner provisioner;
    private final Map<ConnectionId, Step> steps = new HashMap<>();
    private final LoopGuard guard;

    /** A step of a handover; {@code target} is null once packets take the new paths. */
    private static final class Step {
        private final Connection target;
        private final long revision;
        private final long sinceMillis;

        private Step(Connection target, long revision, long sinceMillis) {
            this.target = target;
            this.revision = revision;
            this.sinceMillis = sinceMillis;
        }
    }

    public Handover(ConnectionStore store, NetworkView network, Provisioner provisioner, LoopGuard guard) {
        this.store = checkNotNull(store, "store");
        this.network = checkNotNull(network, "network");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.guard = checkNotNull(guard, "guard");
    }

    /** Returns whether a connection is being moved. */
    boolean isUnderWay(ConnectionId id) {
        return steps.containsKey(id);
    }

    /** Returns whether no connection is being moved. */
    boolean isIdle() {
        return steps.isEmpty();
    }

    /** Returns a connection on the paths that a handover prepares for it; unchanged if there is none. */
    Connection planned(Connection connection) {
        Step step = steps.get(connection.id());
        return step == null || step.target == null ? connection : step.target;
    }

    /**
     * Begins to move a connection's subflows.
     *
     * @param target    the stored connection with new paths and states of its subflows
     * @param nowMillis milliseconds of the Unix epoch
     */
    void begin(Connection target, long nowMillis) {
        guard.check();
        Optional<Connection> current = store.get(target.id());
        Optional<List<PathTail>> ahead = current.flatMap(now -> tails(target, now));
        if (ahead.isPresent()) {
            long revision = provisioner.submitWithTransitionRules(current.get(), ahead.get());
            steps.put(target.id(), new Step(target, revision, nowMillis));
        } else {
            // The paths cross so that one switch would need two outputs for the same packets. The controller forwards
            // packets that arrive before their rules.
            switchOver(target, List.of());
        }
    }

    /**
     * Notes that the rules of a submission are in the switches, and switches packets to the new paths if they were the
     * transition rules.
     */
    public void installed(ConnectionId id, long revision, long nowMillis) {
        guard.check();
        Step step = steps.get(id);
        if (step == null || step.revision != revision || step.target == null || !provisioner.isNewest(id, revision)) {
            return;
        }
        Optional<Connection> current = store.get(id);
        Optional<List<PathTail>> behind = current.flatMap(now -> tails(now, step.target));
        if (behind.isPresent() && isPossible(current.get(), step.target)) {
            steps.put(id, new Step(null, switchOver(step.target, behind.get()), nowMillis));
        } else {
            end(id);
        }
    }

    /** Removes old rules once their packets have passed, and gives up handovers that exceed the time-out. */
    void tick(long nowMillis) {
        guard.check();
        for (ConnectionId id : new ArrayList<>(steps.keySet())) {
            Step step = steps.get(id);
            long age = nowMillis - step.sinceMillis;
            if (!provisioner.hasTransitionRules(id)) {
                steps.remove(id);
            } else if (!provisioner.isNewest(id, step.revision)) {
                end(id);
            } else if (age >= (step.target == null ? PASSING_MILLIS : TIMEOUT_MILLIS)) {
                end(id);
            }
        }
    }

    private long switchOver(Connection target, List<PathTail> behind) {
        return provisioner.apply(target, behind, Type.REROUTED);
    }

    private void end(ConnectionId id) {
        steps.remove(id);
        store.get(id)
                .filter(connection -> connection.state() != ConnectionState.IDLE)
                .ifPresent(connection -> provisioner.submitWithTransitionRules(connection, List.of()));
    }

    /** Returns whether the connection still has as many subflows, and the new paths still exist. */
    private boolean isPossible(Connection current, Connection target) {
        boolean sameSubflows = current.subflows().size() == target.subflows().size();
        return sameSubflows && target.subflows().stream()
                .filter(Subflow::isRouted)
                .allMatch(subflow -> Routes.isIntact(network.snapshot(), subflow));
    }

    /**
     * Returns the tails that the paths of one state of a connection have beyond another; empty if their rules would
     * conflict.
     */
    private static Optional<List<PathTail>> tails(Connection of, Connection beyond) {
        List<PathTail> tails = new ArrayList<>();
        for (Subflow subflow : of.subflows()) {
            Optional<Subflow> other = beyond.subflow(subflow.tuple()).filter(Subflow::isRouted);
            if (subflow.isRouted() && other.isPresent()) {
                Optional<List<PathTail>> more = PathTail.beyond(SubflowRoute.of(subflow), SubflowRoute.of(other.get()));
                if (!more.isPresent()) {
                    return Optional.empty();
                }
                tails.addAll(more.get());
            }
        }
        return Optional.of(tails);
    }
}
