// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.device;

import org.onosproject.openflow.controller.Dpid;

/** Lets other parts of the southbound say something about a device in its annotations. */
public interface DeviceAnnotations {

    /** The annotation that tells whether an application gets copies of segments with SYN, FIN or RST from a device. */
    String TCP_FLAGS = "tcpFlags";

    /** Value of {@link #TCP_FLAGS}: it gets them. */
    String COPIED = "copied";

    /**
     * The annotation with the node that has set {@link #TCP_FLAGS} last, once the switch had confirmed its rules; {@link #NONE}
     * before. While another node is the switch's master, that one has not got so far.
     */
    String TCP_FLAGS_NODE = "tcpFlagsNode";

    /** The annotation with the ports that bring too many such segments, and are paused or were some seconds ago. */
    String PAUSED_PORTS = "tcpFlagsPausedPorts";

    /** Value of {@link #TCP_FLAGS}: it gets none; of {@link #PAUSED_PORTS}: no port is; of {@link #TCP_FLAGS_NODE}: no node. */
    String NONE = "none";

    /**
     * Sets these annotations of a device; ONOS tells its applications with a DEVICE_UPDATED event if that is a change.
     * Does nothing if the device is not connected to this node. It may wait for ONOS to say who is master of the device,
     * so a thread that reads messages of switches must not call it.
     *
     * @param copies {@link #COPIED} or {@link #NONE}
     * @param pausedPorts port numbers with commas between them, or {@link #NONE}
     */
    void tcpFlags(Dpid dpid, String copies, String pausedPorts);
}
