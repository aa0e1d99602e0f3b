// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

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

    /** Makes the table as {@link #begin} left it. */
    SwitchTable(OpenFlowSwitch sw, long xid) {
        this.sw = sw;
        this.rules = new FirstTableRules(sw.factory());
        this.written.add(rules.always());
        this.lastXid = xid;
    }

    /** Leaves one rule in a switch's first table: the one that is always there. */
    static void begin(OpenFlowSwitch sw, long xid) {
        FirstTableRules rules = new FirstTableRules(sw.factory());
        sw.sendMsg(List.of(withXid(rules.clear(), xid), withXid(rules.always(), xid), barrier(sw, xid)));
    }

    /** {@return the rules that belong into this table}; after a refusal only the one that is always there */
    Set<OFFlowAdd> rulesFor(Set<Delivery> wanted, Set<OFPort> transitPorts) {
        return refused ? Set.of(rules.always()) : rules.rules(wanted, transitPorts);
    }

    /** Makes the table hold these rules and no others. Does nothing if it does, or if this node is not master. */
    void become(Set<OFFlowAdd> wanted, long xid) {
        if (written.equals(wanted) || sw.getRole() != RoleState.MASTER) {
            return;
        }
        List<OFMessage> messages = new ArrayList<>();
        wanted.stream().filter(rule -> !written.contains(rule)).forEach(rule -> messages.add(withXid(rule, xid)));
        written.stream().filter(rule -> !wanted.contains(rule))
                .forEach(rule -> messages.add(withXid(rules.removal(rule), xid)));
        messages.add(barrier(sw, xid));
        written.clear();
        written.addAll(wanted);
        lastXid = xid;
        settled = false;
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
    }

    /** {@return whether this error is the first}; the switch is not asked for more from now on */
    boolean refuse() {
        boolean first = !refused;
        refused = true;
        return first;
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
