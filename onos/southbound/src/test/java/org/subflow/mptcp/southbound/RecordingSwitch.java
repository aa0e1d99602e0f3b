// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.onosproject.net.Device;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFMeterFeatures;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFVersion;

/** An OpenFlow 1.3 switch that keeps what it is sent. Real messages come from {@link #FACTORY}. */
public final class RecordingSwitch implements OpenFlowSwitch {
    public static final OFFactory FACTORY = OFFactories.getFactory(OFVersion.OF_13);

    /** What was sent, in order; the messages of a list one by one. */
    public final List<OFMessage> sent = new CopyOnWriteArrayList<>();
    public final List<OFPortDesc> ports = new ArrayList<>();
    public volatile boolean connected = true;
    /** Whether the next message makes this switch throw, once. */
    public volatile boolean failsOnce;
    public String channel = "192.0.2.7:40001";
    private static final int TIMEOUT_SECONDS = 30;
    private final BlockingQueue<OFMessage> arriving = new LinkedBlockingQueue<>();
    private final long id;

    public RecordingSwitch(long id) {
        this.id = id;
    }

    /** Waits for the next message that nobody has waited for yet. */
    public OFMessage next() throws InterruptedException {
        OFMessage next = arriving.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was sent to " + getStringId());
        }
        return next;
    }

    /** Returns the only message sent so far. */
    public OFMessage onlyMessage() {
        if (sent.size() != 1) {
            throw new AssertionError("one message expected, but sent were " + sent);
        }
        return sent.get(0);
    }

    @Override
    public void sendMsg(OFMessage message) {
        if (failsOnce) {
            failsOnce = false;
            throw new IllegalStateException("for the test");
        }
        sent.add(message);
        arriving.add(message);
    }

    @Override
    public void sendMsg(List<OFMessage> messages) {
        messages.forEach(this::sendMsg);
    }

    @Override
    public void handleMessage(OFMessage message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setRole(RoleState role) {
        throw new UnsupportedOperationException("roles are the controller's to set");
    }

    @Override
    public RoleState getRole() {
        return RoleState.MASTER;
    }

    @Override
    public List<OFPortDesc> getPorts() {
        return List.copyOf(ports);
    }

    @Override
    public OFMeterFeatures getMeterFeatures() {
        return null;
    }

    @Override
    public OFFactory factory() {
        return FACTORY;
    }

    @Override
    public String getStringId() {
        return getDpid().toString();
    }

    @Override
    public Dpid getDpid() {
        return new Dpid(id);
    }

    @Override
    public long getId() {
        return id;
    }

    @Override
    public String manufacturerDescription() {
        return "Nicira, Inc.";
    }

    @Override
    public String datapathDescription() {
        return "s" + id;
    }

    @Override
    public String hardwareDescription() {
        return "Open vSwitch";
    }

    @Override
    public String softwareDescription() {
        return "3.1.0";
    }

    @Override
    public String serialNumber() {
        return "None";
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public void disconnectSwitch() {
        connected = false;
    }

    @Override
    public void returnRoleReply(RoleState requested, RoleState response) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Device.Type deviceType() {
        return Device.Type.SWITCH;
    }

    @Override
    public String channelId() {
        return channel;
    }
}
