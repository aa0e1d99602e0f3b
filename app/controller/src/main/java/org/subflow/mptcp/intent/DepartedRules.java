// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.intent.Intent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Looks after rules that connections have given up, until they are gone for good.
 *
 * <p>If a switch's counters arrive at the moment when a rule is being removed, ONOS may take the rule up again as one that
 * it has to keep, and puts it back into the switch; no intent knows of it then. If a removal overtakes the installation, the
 * rule stays in the switch, and ONOS waits for ever to see it go. What has been submitted says where a subflow may have
 * rules: what ONOS says that it has installed may be behind. Used by one thread.
 */
final class DepartedRules {
    /** A rule is not asked for before it had this many sweeps to go by itself. */
    private static final int GRACE_SWEEPS = 1;
    /** After so many sweeps without a rule that came back a subflow is not looked after any more. */
    private static final int WATCHED_SWEEPS = 12;
    /** Most subflows that are looked after; the oldest are left out first. */
    private static final int MOST = 50_000;

    private final FlowRuleService flowRules;
    private final Map<ConnectionId, MptcpIntent> submitted = new HashMap<>();
    private final Map<FiveTuple, MptcpIntent> bySubflow = new HashMap<>();
    private final Map<FiveTuple, Departure> departures = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<FiveTuple, Departure> oldest) {
            return size() > MOST;
        }
    };

    DepartedRules(FlowRuleService flowRules) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
    }

    /** Takes note that this is what a connection is to have from now on. */
    void submitted(MptcpIntent intent) {
        withdrawn(intent.connection());
        submitted.put(intent.connection(), intent);
        intent.routes().forEach(route -> bySubflow.put(route.tuple(), intent));
    }

    /** Takes note that a connection is to have nothing from now on. */
    void withdrawn(ConnectionId connection) {
        MptcpIntent before = submitted.remove(connection);
        if (before != null) {
            before.routes().forEach(route -> {
                bySubflow.remove(route.tuple(), before);
                depart(before, route);
            });
        }
    }

    private void depart(MptcpIntent intent, SubflowRoute route) {
        Set<DeviceId> devices = new HashSet<>();
        intent.matchingPorts(route.tuple()).forEach(port -> devices.add(port.deviceId()));
        intent.matchingPorts(route.tuple().reversed()).forEach(port -> devices.add(port.deviceId()));
        Departure before = departures.remove(route.tuple());
        if (before != null) {
            devices.addAll(before.devices);
        }
        departures.put(route.tuple(), new Departure(devices));
    }

    /**
     * Removes what has come back.
     *
     * @param isSettled says of a connection whether what was submitted for it last is what is in the switches
     */
    void sweep(Predicate<MptcpIntent> isSettled) {
        Set<DeviceId> devices = new HashSet<>();
        departures.values().forEach(departure -> {
            departure.sweeps++;
            devices.addAll(departure.devices);
        });
        for (DeviceId device : devices) {
            for (FlowEntry entry : flowRules.getFlowEntries(device)) {
                if (isInstalled(entry)) {
                    SubflowPathIntents.tuple(entry.selector()).ifPresent(tuple -> sweep(entry, tuple, isSettled));
                }
            }
        }
        departures.values().removeIf(departure -> departure.sweeps > WATCHED_SWEEPS);
    }

    private static boolean isInstalled(FlowEntry entry) {
        return entry.priority() == Intent.DEFAULT_INTENT_PRIORITY && entry.state() != FlowEntryState.REMOVED;
    }

    private void sweep(FlowEntry entry, FiveTuple tuple, Predicate<MptcpIntent> isSettled) {
        Departure departure = either(departures, tuple);
        if (departure == null || departure.sweeps <= GRACE_SWEEPS) {
            return;
        }
        MptcpIntent now = either(bySubflow, tuple);
        boolean isLeft = now == null
                || isSettled.test(now) && !inPort(entry).filter(now.matchingPorts(tuple)::contains).isPresent();
        if (isLeft) {
            flowRules.removeFlowRules(entry);
            departure.sweeps = 0;
        }
    }

    private static <T> T either(Map<FiveTuple, T> map, FiveTuple tuple) {
        T found = map.get(tuple);
        return found != null ? found : map.get(tuple.reversed());
    }

    private static Optional<ConnectPoint> inPort(FlowEntry entry) {
        return Optional.ofNullable(entry.selector().getCriterion(Criterion.Type.IN_PORT))
                .map(criterion -> ((PortCriterion) criterion).port())
                .map((PortNumber port) -> new ConnectPoint(entry.deviceId(), port));
    }

    /** A subflow that has given up rules on these switches. */
    private static final class Departure {
        private final Set<DeviceId> devices;
        private int sweeps;

        private Departure(Set<DeviceId> devices) {
            this.devices = devices;
        }
    }
}
