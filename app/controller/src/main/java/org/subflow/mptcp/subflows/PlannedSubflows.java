// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.host.PathCommand;
import org.subflow.mptcp.host.report.HostView;

/**
 * The subflows of a connection that its client's agent is told to open: those that have not come, those that are there, and
 * those that it is told to close. Used by the control loop only.
 */
final class PlannedSubflows {
    /** So long after the decision a subflow must be there. */
    static final long COMES_MILLIS = 10_000;
    /** So long a subflow may be missing in reports. The agent reads its kernel once in a second. */
    static final long MISSING_MILLIS = 1500;
    /** So long a subflow may be without a path while others of its connection have one. */
    static final long DEAD_MILLIS = 2000;

    final RequestRule rule = new RequestRule();
    private final Map<FiveTuple, Planned> planned = new LinkedHashMap<>();
    /** On the network as it is now. */
    private final FailedPaths failed = new FailedPaths();
    private long networkState = -1;
    /** From when on there may be a path for a further subflow. */
    private long searchMillis = Long.MIN_VALUE;

    private static final class Planned {
        private final long sinceMillis;
        private long seenMillis = -1;
        private long missingMillis = -1;
        private long deadMillis = -1;
        private boolean isDropped;

        private Planned(long sinceMillis) {
            this.sinceMillis = sinceMillis;
        }

        private boolean isSeen() {
            return seenMillis >= 0;
        }
    }

    void add(FiveTuple tuple, long nowMillis) {
        planned.put(tuple, new Planned(nowMillis));
    }

    /** Notes that one has completed its handshake. */
    void came(FiveTuple tuple, long nowMillis) {
        Planned one = planned.get(tuple);
        if (one != null && !one.isSeen()) {
            one.seenMillis = nowMillis;
        }
    }

    /** Notes the state of the network. On another one, whatever has failed may be tried again. */
    void on(long nowNetworkState) {
        if (networkState != nowNetworkState) {
            networkState = nowNetworkState;
            searchMillis = Long.MIN_VALUE;
            failed.clear();
        }
    }

    /** Returns a connection with a subflow on each path between two addresses that has failed and must not be tried now. */
    Connection withFailed(Connection connection, AddressPair pair, long nowMillis) {
        return failed.taken(connection, pair, nowMillis);
    }

    /** Returns how many have been decided on and have not come. */
    int waiting() {
        return (int) planned.values().stream().filter(one -> !one.isSeen()).count();
    }

    /** Returns whether a subflow has been decided on and has not come. */
    boolean awaits(FiveTuple tuple) {
        return planned.containsKey(tuple) && !planned.get(tuple).isSeen();
    }

    /** Returns whether there may be a path for a further subflow now. */
    boolean mayMiss(long nowMillis) {
        return nowMillis >= searchMillis;
    }

    /** Notes that there is no further path for the subflows as they are now, until one that has failed may be tried again. */
    void hasAll(long nowMillis) {
        searchMillis = failed.nextMillis(nowMillis);
    }

    /** Notes that there may be a further path, which cannot be had at present. */
    void waits(long nowMillis) {
        searchMillis = nowMillis + FailedPaths.LEAST_PAUSE_MILLIS;
    }

    /**
     * Compares with what the client reports.
     *
     * @return those that have not come or have gone; they are forgotten here
     */
    Set<FiveTuple> settle(Connection connection, Optional<HostView> client, long nowMillis) {
        Set<FiveTuple> gone = new LinkedHashSet<>();
        boolean hasPath = connection.subflows().stream().anyMatch(subflow -> subflow.isRouted() && !awaits(subflow.tuple()));
        if (hasPath) {
            client.filter(view -> view.isAddable).ifPresent(view -> adopt(connection, view, nowMillis));
        }
        for (Map.Entry<FiveTuple, Planned> entry : new HashMap<>(planned).entrySet()) {
            Optional<Subflow> subflow = connection.subflow(entry.getKey());
            Planned one = entry.getValue();
            if (!subflow.isPresent()) {
                planned.remove(entry.getKey());
                continue;
            }
            client.ifPresent(view -> look(one, view, entry.getKey(), nowMillis));
            boolean isDead = hasPath && subflow.get().state() == SubflowState.DOWN;
            one.deadMillis = !isDead ? -1 : one.deadMillis < 0 ? nowMillis : one.deadMillis;
            one.isDropped = isDead && nowMillis - one.deadMillis >= DEAD_MILLIS;
            boolean isMissing = one.missingMillis >= 0
                    && client.filter(view -> view.millis - one.missingMillis >= MISSING_MILLIS).isPresent();
            boolean isLate = !one.isSeen() && (one.isDropped || nowMillis - one.sinceMillis >= COMES_MILLIS);
            if (isMissing || isLate) {
                gone.add(entry.getKey());
                planned.remove(entry.getKey());
            }
        }
        boolean isLost = failed.look(connection.subflows().stream()
                .filter(subflow -> subflow.isRouted() && !gone.contains(subflow.tuple())).collect(Collectors.toList()), nowMillis);
        if (isLost) {
            searchMillis = Math.min(searchMillis, nowMillis + FailedPaths.LEAST_PAUSE_MILLIS);
        }
        return gone;
    }

    /**
     * Takes a dead subflow that its host has opened by itself, such as the first one, like one of the others: the client closes
     * it, and another one takes its place. Its kernel would wait for up to two minutes before it tried the path again.
     */
    private void adopt(Connection connection, HostView view, long nowMillis) {
        connection.subflows().stream()
                .filter(subflow -> subflow.fromClient() && subflow.state() == SubflowState.DOWN)
                .filter(subflow -> view.present.contains(subflow.tuple()) && !planned.containsKey(subflow.tuple()))
                .forEach(subflow -> {
                    Planned one = new Planned(nowMillis);
                    one.seenMillis = nowMillis;
                    planned.put(subflow.tuple(), one);
                });
    }

    private void look(Planned one, HostView view, FiveTuple tuple, long nowMillis) {
        if (view.present.contains(tuple)) {
            one.seenMillis = one.isSeen() ? one.seenMillis : nowMillis;
            one.missingMillis = -1;
        } else if (one.isSeen() && one.missingMillis < 0) {
            one.missingMillis = view.millis;
        }
    }

    /** Returns what the client shall open and close. */
    PathCommand command() {
        List<FiveTuple> add = new ArrayList<>();
        List<FiveTuple> drop = new ArrayList<>();
        planned.forEach((tuple, one) -> {
            if (one.isDropped) {
                drop.add(tuple);
            } else if (!one.isSeen()) {
                add.add(tuple);
            }
        });
        return new PathCommand(add, drop);
    }
}
