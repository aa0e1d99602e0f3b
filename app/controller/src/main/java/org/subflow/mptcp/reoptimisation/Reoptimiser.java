// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reoptimisation;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Has connections moved to better paths when more is to be had or more is known than before: a link has come back, a capacity
 * has grown, a sibling has given up its path, or newcomers have shown what they want.
 *
 * <p>It waits until the network has kept still for a while, so that a link that comes and goes moves nobody. Then one
 * connection after the other has its turn, as long as a look takes no more than its part of the time. Used by the control
 * loop only.
 */
public final class Reoptimiser {
    /** For how long the network must have kept still. */
    public static final long STILL_MILLIS = 2000;

    /**
     * For how long connections are looked at after that, again and again: what others leave of a path shows only when they
     * send again what they can.
     */
    public static final long LOOK_MILLIS = 30_000;

    private final ConnectionStore store;
    private final NetworkView network;
    private final BetterConnectionPaths betterPaths;
    private final Provisioner provisioner;
    private final Handover handover;
    private final LongSupplier nanoClock;
    /** Those whose turn is longest ago come first. */
    private final Map<ConnectionId, Reason> waiting = new LinkedHashMap<>();
    private NetworkSnapshot last;
    private long notBeforeMillis;
    /** What looks have taken and budgets have not yet covered. */
    private long owedNanos;

    /** For how long a connection is looked at, and whether it is until a look finds nothing, however long that takes. */
    private static final class Reason {
        private long untilMillis = Long.MIN_VALUE;
        private boolean once;
    }

    /**
     * Makes it.
     *
     * @param nanoClock nanoseconds of any clock that only goes forward
     */
    public Reoptimiser(ConnectionStore store, NetworkView network, BetterConnectionPaths betterPaths, Provisioner provisioner,
                Handover handover, LongSupplier nanoClock) {
        this.store = checkNotNull(store, "store");
        this.network = checkNotNull(network, "network");
        this.betterPaths = checkNotNull(betterPaths, "betterPaths");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.handover = checkNotNull(handover, "handover");
        this.nanoClock = checkNotNull(nanoClock, "nanoClock");
    }

    /** The network may have changed; if it has more to offer, every connection is looked at once it keeps still. */
    public void networkChanged(long nowMillis) {
        NetworkSnapshot now = network.snapshot();
        if (now == last) {
            return;
        }
        notBeforeMillis = nowMillis + STILL_MILLIS;
        if (last != null && offersMore(now, last)) {
            lookAt(provisioner.live().stream().map(Connection::id).collect(Collectors.toList()), notBeforeMillis);
        }
        last = now;
    }

    /** These connections are looked at for a while: there may be better paths now. */
    public void lookAt(List<ConnectionId> connections, long nowMillis) {
        connections.forEach(id -> reason(id).untilMillis = nowMillis + LOOK_MILLIS);
    }

    /** These connections are looked at until there is nothing better: there may be better reasons now. */
    public void lookOnceAt(List<ConnectionId> connections) {
        connections.forEach(id -> reason(id).once = true);
    }

    private Reason reason(ConnectionId id) {
        return waiting.computeIfAbsent(id, unused -> new Reason());
    }

    /**
     * Looks at connections that wait for it. A single look may take longer than the budget, as every move takes an allocation of
     * its own: then there is none until as many budgets have passed.
     *
     * @param nowMillis   milliseconds of the Unix epoch
     * @param budgetNanos after so long it leaves the others for the next time
     */
    public void tick(long nowMillis, long budgetNanos) {
        handover.tick(nowMillis);
        owedNanos = Math.max(0, owedNanos - budgetNanos);
        if (nowMillis >= notBeforeMillis && owedNanos < budgetNanos) {
            long begun = nanoClock.getAsLong();
            look(nowMillis, begun + budgetNanos);
            owedNanos += nanoClock.getAsLong() - begun;
        }
    }

    private void look(long nowMillis, long endNanos) {
        if (waiting.isEmpty()) {
            return;
        }
        List<Connection> all = planned();
        for (ConnectionId id : new ArrayList<>(waiting.keySet())) {
            Reason reason = waiting.remove(id);
            Optional<Connection> connection = store.get(id).filter(one -> one.state() != ConnectionState.IDLE);
            if (connection.isPresent() && (reason.once || nowMillis <= reason.untilMillis)) {
                // Behind the others, which may not have had their turn.
                waiting.put(id, reason);
                if (connection.get().state() == ConnectionState.ACTIVE && !handover.isUnderWay(id)) {
                    Optional<Connection> target = betterPaths.of(connection.get(), all);
                    reason.once &= target.isPresent();
                    if (target.isPresent()) {
                        handover.begin(target.get(), nowMillis);
                        all = planned();
                    }
                }
            }
            if (nanoClock.getAsLong() - endNanos >= 0) {
                return;
            }
        }
    }

    /**
     * Returns all connections that are on the network, those that are being moved where they will be, with the shares that
     * come of it: two that part must not both leave for the same place.
     */
    private List<Connection> planned() {
        List<Connection> live = provisioner.live();
        List<Connection> planned = live.stream().map(handover::planned).collect(Collectors.toList());
        if (planned.equals(live)) {
            return live;
        }
        return betterPaths.shared(planned);
    }

    private static boolean offersMore(NetworkSnapshot now, NetworkSnapshot before) {
        for (Link link : now.links()) {
            if (now.capacity(link) > before.capacity(link)) {
                return true;
            }
        }
        return false;
    }
}
