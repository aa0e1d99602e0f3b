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
 * Moves living subflows to other paths without a gap: first the rules beyond the switch where the ways part, then the
 * switch-over, and the old rules go when what was under way has passed.
 *
 * <p>Whatever else happens to a connection meanwhile (a lost path, an MP_JOIN, its end) has it submitted anew, without rules
 * beside: the handover is then over, wherever it was. Used by the control loop only.
 */
public final class Handover {
    /** Longer than what waits in the queues of a path. */
    public static final long PASSING_MILLIS = 1500;

    private static final long TIMEOUT_MILLIS = 10_000;

    private final ConnectionStore store;
    private final NetworkView network;
    private final Provisioner provisioner;
    private final Map<ConnectionId, Step> steps = new HashMap<>();
    private final LoopGuard guard;

    /** How far one is: {@code target} is null once packets take the new paths. */
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

    /** Returns a connection as it will be once packets take the new paths that are being prepared; itself if there are none. */
    Connection planned(Connection connection) {
        Step step = steps.get(connection.id());
        return step == null || step.target == null ? connection : step.target;
    }

    /**
     * Begins to move a connection's subflows.
     *
     * @param target    the connection as the store has it, but for the paths and states of subflows
     * @param nowMillis milliseconds of the Unix epoch
     */
    void begin(Connection target, long nowMillis) {
        guard.check();
        Optional<Connection> current = store.get(target.id());
        Optional<List<PathTail>> ahead = current.flatMap(now -> tails(target, now));
        if (ahead.isPresent()) {
            long revision = provisioner.beside(current.get(), ahead.get());
            steps.put(target.id(), new Step(target, revision, nowMillis));
        } else {
            // The ways cross so that a switch would have to do two things at once: what arrives too early goes by way of
            // the controller.
            switchOver(target, List.of());
        }
    }

    /** The rules of a submission are in the switches. */
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

    /** Takes old rules away once nothing passes them any more, and gives up what does not get on. */
    void tick(long nowMillis) {
        guard.check();
        for (ConnectionId id : new ArrayList<>(steps.keySet())) {
            Step step = steps.get(id);
            long age = nowMillis - step.sinceMillis;
            if (!provisioner.hasRulesBeside(id)) {
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
                .ifPresent(connection -> provisioner.beside(connection, List.of()));
    }

    /** Nothing else has moved meanwhile, and the new paths still exist. */
    private boolean isPossible(Connection current, Connection target) {
        boolean sameSubflows = current.subflows().size() == target.subflows().size();
        return sameSubflows && target.subflows().stream()
                .filter(Subflow::isRouted)
                .allMatch(subflow -> Routes.isIntact(network.snapshot(), subflow));
    }

    /** Returns what the routes of one state of a connection have beyond those of another; empty if that cannot be beside. */
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
