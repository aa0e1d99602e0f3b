// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.admission.AwaitedConnections;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.reoptimisation.Reoptimiser;
import org.subflow.mptcp.rules.RuleReading;
import org.subflow.mptcp.subflows.SubflowPlanner;

/** Reacts to time: makes connections idle, forgets them, and finds better paths. Used by the control loop only. */
public final class Lifecycle {
    private static final long REOPTIMISE_BUDGET_NANOS = 50_000_000;

    private final CounterReading counters;
    private final AwaitedConnections awaited;
    private final EndedConnections ended;
    private final Idleness idleness;
    private final Recovery recovery;
    private final SubflowPlanner planner;
    private final Reoptimiser reoptimiser;

    public Lifecycle(CounterReading counters, AwaitedConnections awaited, EndedConnections ended, Idleness idleness,
                     Recovery recovery, SubflowPlanner planner, Reoptimiser reoptimiser) {
        this.counters = checkNotNull(counters, "counters");
        this.awaited = checkNotNull(awaited, "awaited");
        this.ended = checkNotNull(ended, "ended");
        this.idleness = checkNotNull(idleness, "idleness");
        this.recovery = checkNotNull(recovery, "recovery");
        this.planner = checkNotNull(planner, "planner");
        this.reoptimiser = checkNotNull(reoptimiser, "reoptimiser");
    }

    /**
     * Samples counters, and updates demands and shares. Makes idle connections and subflows idle, and forgets connections
     * after the retention time. Searches better paths.
     *
     * @param nowMillis milliseconds of the Unix epoch
     * @param reading   the rules that ONOS has; not null
     */
    public void tick(long nowMillis, RuleReading reading) {
        // A step that fails must not keep the others from their turn.
        OneByOne.run(() -> counters.learn(reading), "counters");
        OneByOne.run(() -> awaited.tick(nowMillis), "connections that are awaited");
        OneByOne.run(ended::remove, "ends");
        OneByOne.run(() -> idleness.rest(nowMillis), "idle connections");
        OneByOne.run(() -> reoptimiser.lookAt(idleness.retireQuiet(nowMillis), nowMillis), "idle subflows");
        OneByOne.run(recovery::tick, "connections of an earlier run");
        OneByOne.run(() -> idleness.forget(nowMillis), "connections that are gone");
        OneByOne.run(planner::tick, "subflows that agents open");
        OneByOne.run(() -> reoptimiser.tick(nowMillis, REOPTIMISE_BUDGET_NANOS), "better paths");
    }
}
