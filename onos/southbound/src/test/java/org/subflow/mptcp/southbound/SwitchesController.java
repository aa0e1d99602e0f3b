// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowClassifierListener;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowEventListener;
import org.onosproject.openflow.controller.OpenFlowMessageListener;
import org.onosproject.openflow.controller.OpenFlowPacketContext;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.OpenFlowSwitchListener;
import org.onosproject.openflow.controller.PacketListener;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFType;

/** ONOS's OpenFlow channel with the switches that a test connects; the test hands messages to the listeners. */
public final class SwitchesController implements OpenFlowController {
    public final Set<OpenFlowSwitchListener> switchListeners = new LinkedHashSet<>();
    public final Set<OpenFlowEventListener> eventListeners = new LinkedHashSet<>();
    /** Listeners to messages. */
    public final Set<OpenFlowMessageListener> messageListeners = new LinkedHashSet<>();
    /** Listeners to packets, by priority. */
    public final Map<Integer, PacketListener> packetListeners = new TreeMap<>();
    /** The roles asked for, by switch. */
    public final Map<Dpid, RoleState> roles = new LinkedHashMap<>();
    private final Map<Dpid, OpenFlowSwitch> switches = new LinkedHashMap<>();

    public RecordingSwitch connect(long id) {
        RecordingSwitch sw = new RecordingSwitch(id);
        switches.put(sw.getDpid(), sw);
        return sw;
    }

    public void lose(Dpid dpid) {
        switches.remove(dpid);
    }

    /** Whether errors come so late to listeners of events that they never do: ONOS has a thread of its own for them. */
    public boolean errorsAreLate;

    /** Gives a message of a switch to whoever listens. */
    public void receive(Dpid dpid, OFMessage message) {
        messageListeners.forEach(listener -> listener.handleIncomingMessage(dpid, message));
        if (errorsAreLate && message.getType() == OFType.ERROR) {
            return;
        }
        eventListeners.forEach(listener -> listener.handleMessage(dpid, message));
    }

    /** Gives a packet to whoever listens. */
    public void receive(OpenFlowPacketContext packet) {
        packetListeners.values().forEach(listener -> listener.handlePacket(packet));
    }

    @Override
    public Iterable<OpenFlowSwitch> getSwitches() {
        return switches.values();
    }

    @Override
    public Iterable<OpenFlowSwitch> getMasterSwitches() {
        return switches.values();
    }

    @Override
    public Iterable<OpenFlowSwitch> getEqualSwitches() {
        return Set.of();
    }

    @Override
    public OpenFlowSwitch getSwitch(Dpid dpid) {
        return switches.get(dpid);
    }

    @Override
    public OpenFlowSwitch getMasterSwitch(Dpid dpid) {
        return switches.get(dpid);
    }

    @Override
    public OpenFlowSwitch getEqualSwitch(Dpid dpid) {
        return null;
    }

    @Override
    public void addListener(OpenFlowSwitchListener listener) {
        switchListeners.add(listener);
    }

    @Override
    public void removeListener(OpenFlowSwitchListener listener) {
        switchListeners.remove(listener);
    }

    @Override
    public void addMessageListener(OpenFlowMessageListener listener) {
        messageListeners.add(listener);
    }

    @Override
    public void removeMessageListener(OpenFlowMessageListener listener) {
        messageListeners.remove(listener);
    }

    @Override
    public void addPacketListener(int priority, PacketListener listener) {
        packetListeners.put(priority, listener);
    }

    @Override
    public void removePacketListener(PacketListener listener) {
        packetListeners.values().remove(listener);
    }

    @Override
    public void addEventListener(OpenFlowEventListener listener) {
        eventListeners.add(listener);
    }

    @Override
    public void removeEventListener(OpenFlowEventListener listener) {
        eventListeners.remove(listener);
    }

    @Override
    public void write(Dpid dpid, OFMessage message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<OFMessage> writeResponse(Dpid dpid, OFMessage message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void processPacket(Dpid dpid, OFMessage message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setRole(Dpid dpid, RoleState role) {
        roles.put(dpid, role);
    }

    @Override
    public void removeClassifierListener(OpenFlowClassifierListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void addClassifierListener(OpenFlowClassifierListener listener) {
        throw new UnsupportedOperationException();
    }
}
