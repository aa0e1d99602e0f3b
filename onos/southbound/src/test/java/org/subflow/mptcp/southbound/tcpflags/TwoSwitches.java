// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.List;
import java.util.Set;
import org.onosproject.net.Link;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.openflow.controller.Dpid;
import org.subflow.mptcp.southbound.RecordingSwitch;
import org.subflow.mptcp.southbound.SwitchesController;
import org.subflow.mptcp.southbound.fixtures.Links;

/** Two switches whose master writes their first tables, and what ONOS is told of them. */
final class TwoSwitches {
    static final Dpid S1 = new Dpid(1);
    static final Dpid S2 = new Dpid(2);

    final SwitchesController controller = new SwitchesController();
    final RecordingSwitch s1 = controller.connect(1);
    final RecordingSwitch s2 = controller.connect(2);
    final Tables.Told told = new Tables.Told();
    private final Links links = new Links();
    private Set<Delivery> wanted;
    private FirstTables tables;

    /** Makes two switches that no master has written to yet; {@code wanted} is what applications want of their segments. */
    TwoSwitches(Set<Delivery> wanted) {
        this.wanted = wanted;
    }

    /** Writes the first tables of both switches, as their new master; both answer. */
    void begin(PausedPorts pauses) {
        tables = new FirstTables(controller, links, told, () -> wanted, pauses, Runnable::run);
        controller.eventListeners.add(tables);
        for (Dpid dpid : List.of(S1, S2)) {
            tables.switchAdded(dpid);
            tables.roleChangedToMaster(dpid);
        }
        answerAll();
    }

    FirstTables tables() {
        return tables;
    }

    void pausesChanged(Dpid dpid) {
        tables.pausesChanged(dpid);
    }

    /** Has applications want something else. */
    void want(Set<Delivery> deliveries) {
        wanted = deliveries;
        tables.wantedChanged();
    }

    /** Has ONOS find a link between a port of each. */
    void link(int portOfFirst, int portOfSecond) {
        Link link = Tables.link(1, portOfFirst, 2, portOfSecond, Link.State.ACTIVE);
        links.all.add(link);
        tables.event(new LinkEvent(LinkEvent.Type.LINK_ADDED, link));
    }

    /** Answers every barrier, as if all before it were done. */
    void answerAll() {
        Tables.barriers(s1).forEach(xid -> controller.receive(S1, Tables.answer(xid)));
        Tables.barriers(s2).forEach(xid -> controller.receive(S2, Tables.answer(xid)));
    }
}
