// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onosproject.net.DeviceId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleReading;
import org.subflow.mptcp.submission.ConnectionIntents;
import org.subflow.mptcp.submission.InstallationCheck;

/**
 * How many rules fit into the switches, learned from what they refuse, as ONOS does not know the size of a flow table. Used by
 * the control loop only, but for {@link #full}.
 */
public final class FlowTables {
    /** Part of a full table that stays free, for rules of the forwarder and for paths after a lost link. */
    static final double SPARE = 0.1;
    /** So long a switch counts as full. Afterwards one connection finds out whether it still is. */
    static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int RULES_PER_SUBFLOW = 2;

    private static final Logger LOG = LoggerFactory.getLogger(FlowTables.class);

    private final OwnRules own;
    private final LongSupplier clockNanos;
    private final Map<DeviceId, Limit> limits = new ConcurrentHashMap<>();

    private static final class Limit {
        private final int rules;
        private final long since;

        private Limit(int rules, long since) {
            this.rules = rules;
            this.since = since;
        }
    }

    /**
     * Makes tables of unknown size.
     *
     * @param clockNanos a monotonic clock, nanoseconds; not null
     */
    public FlowTables(OwnRules own, LongSupplier clockNanos) {
        this.own = checkNotNull(own, "own");
        this.clockNanos = checkNotNull(clockNanos, "clockNanos");
    }

    /** Looks for rules of connections that the switches do not have, and notes which switches have refused some. */
    InstallationCheck.Findings check(ConnectionIntents intents, RuleReading reading, long epochMillis) {
        InstallationCheck.Findings findings = InstallationCheck.look(
                reading, intents.submissions(), intents::rules, epochMillis);
        Set.copyOf(findings.refused().values()).forEach(device -> refused(device, reading));
        return findings;
    }

    /** Notes that a switch has refused a rule: what it has now is all that it takes. */
    void refused(DeviceId device) {
        refused(device, own.read());
    }

    private void refused(DeviceId device, RuleReading reading) {
        expire();
        int rules = reading.confirmed(device);
        if (!limits.containsKey(device)) {
            LOG.warn("{} has {} rules and takes no more of ours: for {} s, new connections there get plain forwarding",
                     device, rules, TimeUnit.NANOSECONDS.toSeconds(REMEMBERED_NANOS));
        }
        limits.put(device, new Limit(rules, clockNanos.getAsLong()));
    }

    /** Returns whether the switches on a connection's paths have room for its rules, as far as is known. */
    public boolean hasRoom(Connection connection) {
        expire();
        return limits.keySet().stream().noneMatch(device -> {
            int needed = rules(connection, device);
            return needed > 0 && needed > free(device);
        });
    }

    /** Returns how many switches count as full now; for any thread. */
    public long full() {
        long now = clockNanos.getAsLong();
        return limits.values().stream().filter(limit -> now - limit.since <= REMEMBERED_NANOS).count();
    }

    private int free(DeviceId device) {
        return limits.get(device).rules - spare(device) - own.read().confirmed(device);
    }

    /** Returns how many rules of a switch that counts as full should stay free. */
    int spare(DeviceId device) {
        return (int) Math.ceil(limits.get(device).rules * SPARE);
    }

    /** Returns how many rules of a connection a switch has, or would have. */
    static int rules(Connection connection, DeviceId device) {
        return RULES_PER_SUBFLOW * (int) connection.subflows().stream()
                .filter(subflow -> subflow.isRouted() && subflow.devices().contains(device)).count();
    }

    private void expire() {
        long now = clockNanos.getAsLong();
        limits.values().removeIf(limit -> now - limit.since > REMEMBERED_NANOS);
    }
}
