// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import java.util.Optional;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * The kinds of rules that this application has in switches, with their priorities. The greatest priority that matches a packet
 * decides. {@code docs/connections.md} shows them among those of ONOS and of other applications.
 */
public enum RuleKind {
    /** All packets with the label of a path. Above exact rules: a packet with a label must not meet that of its subflow. */
    PATH(111),
    /**
     * One direction of a subflow. Above the default of intents (100): another application's intent between the same hosts
     * matches more packets than these exact rules, and would otherwise take some of a subflow's packets where a switch finds both.
     * An intent with a greater priority goes first.
     */
    SUBFLOW(110),
    /**
     * Brings the next packet of a connection without paths to the controller. Above all plain forwarding and other applications'
     * intents (100), whose rules would hide the packet, and below the exact rules of subflows.
     */
    WAKE(105),
    /** One direction of a plain TCP connection: above the rule that sends TCP to the controller, below all applications' intents. */
    PLAIN(60),
    /** All connections of a client to one port of a server: below those of single connections. */
    SERVICE(55),
    /**
     * All TCP to the controller. Above stock reactive forwarding (10), whose MAC-level rules would hide later handshakes, and below
     * plain TCP's rules and all applications' intents.
     */
    WATCH(50),
    /** The same in a switch that copies SYN, FIN and RST: below what reactive applications request (5). */
    LAST_WATCH(3);

    private static final RuleKind[] KINDS = values();

    private final int priority;

    RuleKind(int priority) {
        this.priority = priority;
    }

    /** Returns the priority of the rules. */
    public int priority() {
        return priority;
    }

    /** Returns the kind of a rule of the application; empty if it has none of these priorities. */
    static Optional<RuleKind> of(FlowRule rule) {
        for (RuleKind kind : KINDS) {
            if (kind.includes(rule)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** Returns whether a rule of the application is of this kind. */
    public boolean includes(FlowRule rule) {
        return rule.priority() == priority;
    }

    /**
     * Returns a rule of this kind that stays until it is removed.
     *
     * @param appId     the application that has it; not null
     * @param device    the switch; not null
     * @param match     the packets; not null
     * @param treatment what becomes of them; not null
     */
    public FlowRule rule(ApplicationId appId, DeviceId device, TrafficSelector match, TrafficTreatment treatment) {
        return builder(appId, device, match, treatment).makePermanent().build();
    }

    /** Begins a rule of this kind, as {@link #rule}, that is to have a time-out. */
    public FlowRule.Builder builder(ApplicationId appId, DeviceId device, TrafficSelector match, TrafficTreatment treatment) {
        return DefaultFlowRule.builder().fromApp(appId).forDevice(device).withPriority(priority).withSelector(match)
                .withTreatment(treatment);
    }
}
