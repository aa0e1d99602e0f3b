// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import com.google.common.collect.Sets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.types.OFPort;

/**
 * The first table of one switch, from the moment when this node becomes its master. Every change ends with a barrier; the
 * table is as it was told to be once the last barrier is answered. For one thread.
 */
final class SwitchTable {

    private final OpenFlowSwitch sw;
    private final FirstTableRules rules;
    private final Set<OFFlowAdd> written = new HashSet<>();
    private long lastXid;
    private boolean settled;
    private boolean refused;
    private boolean unmetered;
    /** Transactions with meters that the switch has not confirmed yet. */
    private final Set<Long> xidsWithMeters = new HashSet<>();
    /** Whether some of what was written may not be in the switch. */
    private boolean doubtful;

    /** Makes the table as {@link #begin} left it with the same deliveries. */
    SwitchTable(OpenFlowSwitch sw, long xid, Set<Delivery> wanted) {
        this.sw = sw;
        this.rules = new FirstTableRules(sw.factory());
        this.written.addAll(rules.rules(wanted, Set.of()));
        this.lastXid = xid;
    }

    /**
     * Leaves in a switch's first table what belongs into it if no port leads to another switch. So segments go on coming when
     * one master follows another; until {@link #become} some come from several switches.
     */
    static void begin(OpenFlowSwitch sw, long xid, Set<Delivery> wanted) {
        FirstTableRules rules = new FirstTableRules(sw.factory());
        List<OFMessage> messages = new ArrayList<>();
        messages.add(withXid(rules.clear(), xid));
        rules.rules(wanted, Set.of()).forEach(rule -> messages.add(withXid(rule, xid)));
        messages.add(barrier(sw, xid));
        sw.sendMsg(messages);
    }

    /**
     * {@return the rules that belong into this table}; after a refusal only the one that is always there
     *
     * @param wanted what there are processors for
     * @param transitPorts the ports that lead to other switches
     * @param pausedPorts ports that bring too much
     * @param meteredPorts ports whose SYNs pass a meter, if the switch has meters
     */
    Set<OFFlowAdd> rulesFor(Set<Delivery> wanted, Set<OFPort> transitPorts, Set<OFPort> pausedPorts,
                            Set<OFPort> meteredPorts) {
        if (refused) {
            return Set.of(rules.always());
        }
        Set<OFFlowAdd> all = rules.rules(wanted, Sets.union(transitPorts, pausedPorts));
        if (!unmetered) {
            // Between switches go the segments of many hosts.
            all.addAll(rules.metered(wanted, Sets.difference(meteredPorts, transitPorts), pausedPorts));
        }
        return all;
    }

    /**
     * Makes the table hold these rules and no others. Does nothing if it does, or if this node is not master.
     *
     * @param most packets a second that a meter lets pass, if there are any to be made
     */
    void become(Set<OFFlowAdd> wanted, int most, long xid) {
        if (written.equals(wanted) && !doubtful || sw.getRole() != RoleState.MASTER) {
            return;
        }
        Set<Long> metersBefore = FirstTableRules.meters(written);
        Set<Long> meters = FirstTableRules.meters(wanted);
        List<OFMessage> messages = new ArrayList<>();
        for (long id : Sets.difference(meters, metersBefore)) {
            // An earlier master may have left it.
            messages.add(withXid(rules.meterRemoval(id), xid));
            messages.add(withXid(rules.meter(id, most), xid));
            xidsWithMeters.add(xid);
        }
        wanted.stream().filter(rule -> doubtful || !written.contains(rule)).forEach(rule -> messages.add(withXid(rule, xid)));
        // A rule with the match and priority of another takes its place.
        written.stream().filter(rule -> wanted.stream().noneMatch(other -> FirstTableRules.haveSamePlace(rule, other)))
                .forEach(rule -> messages.add(withXid(rules.removal(rule), xid)));
        Sets.difference(metersBefore, meters).forEach(id -> messages.add(withXid(rules.meterRemoval(id), xid)));
        messages.add(barrier(sw, xid));
        written.clear();
        written.addAll(wanted);
        lastXid = xid;
        settled = false;
        doubtful = false;
        sw.sendMsg(messages);
    }

    /** Takes note that the switch has removed a rule; {@link #become} writes it again if it is still wanted. */
    void lost(OFFlowRemoved removed) {
        written.removeIf(rule -> rule.getPriority() == removed.getPriority()
                && rule.getMatch().equals(removed.getMatch()));
    }

    /** Takes note of an answered barrier. */
    void answered(long xid) {
        settled |= xid == lastXid;
        xidsWithMeters.remove(xid);
    }

    /**
     * Takes note of an error: the switch is asked for no more meters from now on, or, if the transaction had none, for nothing.
     *
     * @return whether this changes something
     */
    boolean refuse(long xid) {
        if (xidsWithMeters.contains(xid)) {
            boolean firstOfMeters = !unmetered;
            unmetered = true;
            doubtful = true;
            return firstOfMeters;
        }
        boolean first = !refused;
        refused = true;
        return first;
    }

    /** {@return whether the switch has refused a rule other than those with meters} */
    boolean isRefused() {
        return refused;
    }

    /** {@return whether the switch has confirmed all that was written last} */
    boolean isSettled() {
        return settled;
    }

    /** {@return whether rules that bring copies are among those written, and the switch took them} */
    boolean sendsCopies() {
        return settled && !refused
                && written.stream().anyMatch(rule -> rule.getCookie().getValue() == Delivery.COPIES.cookie());
    }

    private static OFMessage withXid(OFMessage message, long xid) {
        return message.createBuilder().setXid(xid).build();
    }

    private static OFMessage barrier(OpenFlowSwitch sw, long xid) {
        return sw.factory().buildBarrierRequest().setXid(xid).build();
    }
}
