// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService;

/**
 * Measures how long subflows wait for their rules. A new subflow waits from the moment at which it has earned rules until
 * ONOS confirms them; the controller forwards its packets until then. A subflow that has lost its path waits from ONOS's
 * report of the change in the network until ONOS confirms the rules on another path. Thread-safe.
 */
public final class RuleTimes implements RuleTimesService {
    private final RuleWait setup = new RuleWait();
    private final RuleWait reroute = new RuleWait();
    /** When ONOS reported the oldest change that nobody has looked at, nanoseconds; null without one. */
    private final AtomicReference<Long> reported = new AtomicReference<>();
    private final Set<Listener> listeners = new CopyOnWriteArraySet<>();
    private volatile Long lookedAt;

    /** Notes that a subflow waits for rules from now on. */
    public void waits(FiveTuple tuple, long nanos) {
        setup.begins(tuple, nanos);
    }

    /** Notes that ONOS has reported a change in the network. */
    public void reported(long nanos) {
        reported.compareAndSet(null, nanos);
    }

    /** Notes that the control loop now looks at all that has been reported. */
    public void look() {
        lookedAt = reported.getAndSet(null);
    }

    /**
     * Notes that a connection gets other paths because of what {@link #look} has seen. Subflows whose path stays, or that
     * have none any more, do not count.
     */
    void rerouted(Connection before, Connection after) {
        Long since = lookedAt;
        if (since == null) {
            return;
        }
        for (Subflow subflow : after.subflows()) {
            boolean stays = before.subflow(subflow.tuple())
                    .filter(old -> Objects.equals(old.path(), subflow.path())).isPresent();
            if (subflow.isRouted() && !stays) {
                reroute.waits(subflow.tuple(), since);
            }
        }
    }

    /** Notes that the rules of a connection's newest submission are in the switches. */
    public void installed(Connection connection, long nanos) {
        tell(Wait.SETUP, setup.installed(connection, nanos));
        tell(Wait.REROUTE, reroute.installed(connection, nanos));
    }

    /**
     * Returns the number of subflows with rules, and the median and 95th percentile of their newest set-up times,
     * microseconds.
     */
    public Map<String, Long> counters() {
        return ImmutableMap.of("rules.subflows", setup.count(),
                               "rules.median-micros", setup.quantileMicros(0.5),
                               "rules.p95-micros", setup.quantileMicros(0.95));
    }

    private void tell(Wait wait, List<Long> ended) {
        ended.forEach(nanos -> listeners.forEach(listener -> listener.ended(wait, nanos)));
    }

    @Override
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(Listener listener) {
        listeners.remove(listener);
    }

    @Override
    public DurationHistogram histogram(Wait wait) {
        return (wait == Wait.SETUP ? setup : reroute).histogram();
    }
}
