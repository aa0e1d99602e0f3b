// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.subflow.mptcp.api.ConnectionId;

/**
 * Looks after rules that connections have given up, until they are gone for good.
 *
 * <p>If a switch's counters arrive at the moment when a rule is being removed, ONOS may take the rule up again as one that
 * it has to keep, and puts it back into the switch; no intent knows of it then. Used by one thread.
 */
final class DepartedRules {
    /** A rule is not asked for before it had this many sweeps to go by itself. */
    private static final int GRACE_SWEEPS = 1;
    /** After so many sweeps it is not looked for any more. */
    private static final int WATCHED_SWEEPS = 12;

    private final FlowRuleService flowRules;
    private final Map<FlowRule, Departure> departures = new HashMap<>();

    DepartedRules(FlowRuleService flowRules) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
    }

    /** Takes note of rules that a connection is about to give up, or to keep in part. */
    void add(ConnectionId connection, Collection<FlowRule> rules) {
        rules.forEach(rule -> departures.put(rule, new Departure(connection)));
    }

    /**
     * Removes what has come back.
     *
     * @param wanted the rules that a connection has now
     */
    void sweep(Function<ConnectionId, Collection<FlowRule>> wanted) {
        Map<DeviceId, Set<FlowRule>> installed = new HashMap<>();
        for (Iterator<Map.Entry<FlowRule, Departure>> each = departures.entrySet().iterator(); each.hasNext();) {
            Map.Entry<FlowRule, Departure> entry = each.next();
            FlowRule rule = entry.getKey();
            Departure departure = entry.getValue();
            departure.sweeps++;
            if (wanted.apply(departure.connection).contains(rule) || departure.sweeps > WATCHED_SWEEPS) {
                each.remove();
            } else if (departure.sweeps > GRACE_SWEEPS
                    && installed.computeIfAbsent(rule.deviceId(), this::installed).contains(rule)) {
                flowRules.removeFlowRules(rule);
            }
        }
    }

    private Set<FlowRule> installed(DeviceId device) {
        Set<FlowRule> rules = new HashSet<>();
        for (FlowEntry entry : flowRules.getFlowEntries(device)) {
            if (entry.state() == FlowEntryState.ADDED || entry.state() == FlowEntryState.PENDING_ADD) {
                rules.add(entry);
            }
        }
        return rules;
    }

    private static final class Departure {
        private final ConnectionId connection;
        private int sweeps;

        private Departure(ConnectionId connection) {
            this.connection = connection;
        }
    }
}
