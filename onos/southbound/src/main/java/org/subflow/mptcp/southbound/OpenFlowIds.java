// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.openflow.controller.Dpid;
import org.projectfloodlight.openflow.types.OFPort;

/** The identifiers of ONOS and of OpenFlow, translated into each other. */
public final class OpenFlowIds {

    /** The one provider id of every OpenFlow provider; the name is the one ONOS's own providers go by. */
    public static final ProviderId PROVIDER = new ProviderId("of", "org.onosproject.provider.openflow");

    private static final String SCHEME = PROVIDER.scheme();

    /** Every packet asks for its switch; the switches that have been connected are few. */
    private static final Map<Dpid, DeviceId> DEVICES = new ConcurrentHashMap<>();

    private OpenFlowIds() {
    }

    /** {@return the device that ONOS calls a datapath, for example {@code of:0000000000000001}} */
    public static DeviceId deviceId(Dpid dpid) {
        return DEVICES.computeIfAbsent(dpid, known -> DeviceId.deviceId(Dpid.uri(known)));
    }

    /** {@return whether a device is an OpenFlow one} */
    public static boolean isOpenFlow(DeviceId device) {
        return SCHEME.equals(device.uri().getScheme());
    }

    /**
     * {@return the datapath of a device}
     *
     * @throws IllegalArgumentException if the device is not an OpenFlow one
     */
    public static Dpid dpid(DeviceId deviceId) {
        return Dpid.dpid(deviceId.uri());
    }

    /** {@return ONOS's number of a port}; its logical ports are OpenFlow's reserved ones, sign-extended */
    public static PortNumber portNumber(OFPort port) {
        return PortNumber.portNumber(port.getPortNumber());
    }

    /** {@return OpenFlow's number of a port} */
    public static OFPort ofPort(PortNumber port) {
        return OFPort.of((int) port.toLong());
    }
}
