// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.subflow.mptcp.farm.Connection.Flow;
import org.subflow.mptcp.farm.Fabric.End;

/** The switches of a fabric, with their links and hosts. */
final class Farm implements FarmSwitch.Observer {
    private static final int ARP = 0x0806;
    private static final int LLDP = 0x88cc;
    private static final int BDDP = 0x8942;
    private static final int ARP_SENDER = 22;
    private static final int ARP_SENDERS_ADDRESS = 28;
    private static final int ARP_TARGET = 38;
    private static final int MOST_HOPS = 64;

    private final Fabric fabric;
    private final List<FarmSwitch> switches = new ArrayList<>();
    private final List<BiConsumer<FarmSwitch, Rule>> listeners = new CopyOnWriteArrayList<>();
    private Counters counters = rule -> 0;
    private String lost;

    /** How many bytes of what it matches have gone by. */
    interface Counters {
        long bytes(Rule rule);
    }

    /** Which way a subflow's packets go by the rules that there are. */
    record Way(List<End> out, Outcome outcome) { }

    /** Where a way ends. */
    enum Outcome {
        /** At the receiver. */
        ARRIVES,
        /** Where no rule of a subflow or path matches: other rules may. */
        NO_RULE,
        /** At a port that is down, or in a circle. */
        DEAD
    }

    Farm(Fabric fabric, Loop loop, double confirmMillis) {
        this.fabric = fabric;
        for (int number = 1; number <= fabric.switches(); number++) {
            switches.add(new FarmSwitch(number, fabric.ports(number), loop, this, confirmMillis));
        }
    }

    /** Begins to connect all switches. */
    void connect(InetSocketAddress controller) throws IOException {
        for (FarmSwitch sw : switches) {
            sw.connect(controller);
        }
    }

    /** Sets who knows what rules count. */
    void setCounters(Counters counters) {
        this.counters = counters;
    }

    /** Adds one that is told of each rule that comes. */
    void addListener(BiConsumer<FarmSwitch, Rule> listener) {
        listeners.add(listener);
    }

    void removeListener(BiConsumer<FarmSwitch, Rule> listener) {
        listeners.remove(listener);
    }

    Fabric fabric() {
        return fabric;
    }

    FarmSwitch node(int number) {
        return switches.get(number - 1);
    }

    List<FarmSwitch> switches() {
        return switches;
    }

    /** {@return why the controller has ended a connection; null if it has ended none} */
    String lost() {
        return lost;
    }

    /** Lets each host say where it is. */
    void announceHosts() {
        fabric.hosts().forEach(host -> node(host.at().node()).packetIn(
                host.at().port(), FarmSwitch.APPLICATIONS_TABLE, 0, Frames.announcement(host)));
    }

    /**
     * Brings a copy of a segment to the controller, if the sender's switch has a rule for that.
     *
     * @return whether there is one
     */
    boolean copy(Fabric.Host sender, byte[] frame) {
        FarmSwitch sw = node(sender.at().node());
        Rule rule = sw.table().copies(sender.at().port());
        if (rule != null) {
            sw.packetIn(sender.at().port(), 0, rule.cookie(), frame);
        }
        return rule != null;
    }

    /** Takes a link down or up, at both ends. */
    void setLink(End end, boolean up) {
        End other = fabric.across(end.node(), end.port());
        node(end.node()).setPort(end.port(), up);
        node(other.node()).setPort(other.port(), up);
    }

    /** {@return the way of a subflow's packets} */
    Way way(Flow flow) {
        End at = flow.sender().at();
        long destination = flow.receiver().mac();
        List<End> out = new ArrayList<>();
        while (out.size() < MOST_HOPS) {
            Rule rule = node(at.node()).table().forward(at.port(), destination, flow.tuple());
            if (rule == null) {
                return new Way(out, Outcome.NO_RULE);
            }
            End next = new End(at.node(), rule.out());
            out.add(next);
            if (!node(next.node()).isUp(next.port())) {
                return new Way(out, Outcome.DEAD);
            }
            if (next.equals(flow.receiver().at())) {
                return new Way(out, Outcome.ARRIVES);
            }
            destination = rule.newDestination() == 0 ? destination : rule.newDestination();
            at = fabric.across(next.node(), next.port());
            if (at == null) {
                return new Way(out, Outcome.DEAD);
            }
        }
        return new Way(out, Outcome.DEAD);
    }

    @Override
    public void added(FarmSwitch sw, Rule rule) {
        listeners.forEach(listener -> listener.accept(sw, rule));
    }

    @Override
    public void sent(FarmSwitch sw, int port, byte[] frame) {
        int type = Frames.etherType(frame);
        End there = fabric.across(sw.number(), port);
        if (there != null && (type == LLDP || type == BDDP) && sw.isUp(port)) {
            node(there.node()).packetIn(there.port(), FarmSwitch.APPLICATIONS_TABLE, 0, frame);
        } else if (there == null && type == ARP && frame.length >= ARP_TARGET + Integer.BYTES) {
            answer(sw, port, ByteBuffer.wrap(frame), frame);
        }
    }

    private void answer(FarmSwitch sw, int port, ByteBuffer request, byte[] frame) {
        for (Fabric.Host host : fabric.hosts()) {
            if (host.at().node() == sw.number() && host.at().port() == port && request.getInt(ARP_TARGET) == host.address()) {
                sw.packetIn(port, FarmSwitch.APPLICATIONS_TABLE, 0,
                            Frames.arpReply(host, Frames.mac(frame, ARP_SENDER), request.getInt(ARP_SENDERS_ADDRESS)));
            }
        }
    }

    @Override
    public long bytes(FarmSwitch sw, Rule rule) {
        return rule.tuple() == null ? 0 : counters.bytes(rule);
    }

    @Override
    public void lost(FarmSwitch sw, String why) {
        lost = "s" + sw.number() + ": " + why;
    }
}
