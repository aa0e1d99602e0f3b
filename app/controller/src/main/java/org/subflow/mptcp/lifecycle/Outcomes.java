// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.submission.ConnectionIntents;

/**
 * Passes outcomes of submissions from ONOS's event threads to the control loop. None is lost, however many tasks wait there:
 * of each connection the newest outcome of each kind waits, so the connections bound their number. Thread-safe.
 */
public final class Outcomes implements ConnectionIntents.Outcome {
    /** So many connections are handled before other events get their turn. */
    static final int MOST_AT_ONCE = 32;

    private enum Kind {
        INSTALLED, FAILED, WITHDRAWN
    }

    private final ConnectionIntents.Outcome decisions;
    private final Runnable trigger;
    private final Runnable pathsTrigger;
    /** The newest revision of each kind, in the order in which they came; the connection that waits longest comes first. */
    private final Map<ConnectionId, Map<Kind, Long>> waiting = new LinkedHashMap<>();

    /**
     * Makes a passage.
     *
     * @param soon      makes a trigger of a task. If it fires several times while the task waits, the task runs once, on
     *                  the control loop
     * @param decisions gets the outcomes on the control loop; not null
     */
    public Outcomes(UnaryOperator<Runnable> soon, ConnectionIntents.Outcome decisions) {
        this.decisions = checkNotNull(decisions, "decisions");
        this.trigger = soon.apply(this::pass);
        this.pathsTrigger = soon.apply(decisions::pathsChanged);
    }

    @Override
    public void installed(ConnectionId connection, long revision) {
        add(connection, Kind.INSTALLED, revision);
    }

    @Override
    public void failed(ConnectionId connection, long revision) {
        add(connection, Kind.FAILED, revision);
    }

    @Override
    public void withdrawn(ConnectionId connection) {
        add(connection, Kind.WITHDRAWN, 0);
    }

    @Override
    public void pathsChanged() {
        pathsTrigger.run();
    }

    private void add(ConnectionId connection, Kind kind, long revision) {
        synchronized (waiting) {
            Map<Kind, Long> kinds = waiting.computeIfAbsent(connection, unused -> new LinkedHashMap<>());
            kinds.remove(kind);
            kinds.put(kind, revision);
        }
        trigger.run();
    }

    private void pass() {
        Map<ConnectionId, Map<Kind, Long>> some = new LinkedHashMap<>();
        boolean isMore;
        synchronized (waiting) {
            Iterator<Map.Entry<ConnectionId, Map<Kind, Long>>> each = waiting.entrySet().iterator();
            while (each.hasNext() && some.size() < MOST_AT_ONCE) {
                Map.Entry<ConnectionId, Map<Kind, Long>> next = each.next();
                some.put(next.getKey(), next.getValue());
                each.remove();
            }
            isMore = !waiting.isEmpty();
        }
        if (isMore) {
            trigger.run();
        }
        // A failure with one outcome must not lose the others: nobody would tell them again for seconds.
        OneByOne.forEach(some.entrySet(), each ->
                each.getValue().forEach((kind, revision) -> pass(each.getKey(), kind, revision)));
    }

    private void pass(ConnectionId connection, Kind kind, long revision) {
        switch (kind) {
            case INSTALLED:
                decisions.installed(connection, revision);
                break;
            case FAILED:
                decisions.failed(connection, revision);
                break;
            default:
                decisions.withdrawn(connection);
                break;
        }
    }
}
