// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.device;

import java.util.List;
import java.util.Map;
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

    /** Value of all these annotations: the application gets no copies, no port is paused, no node has set them. */
    String NONE = "none";

    /** The annotations that {@link #tcpFlags} sets. */
    List<String> OF_TCP_FLAGS = List.of(TCP_FLAGS, PAUSED_PORTS);

    /**
     * Sets these annotations of a device; ONOS tells its applications with a DEVICE_UPDATED event if that is a change.
     * Does nothing if the device is not connected to this node. It may wait for ONOS to say who is master of the device,
     * so a thread that reads messages of switches must not call it.
     *
     * @param values of {@link #TCP_FLAGS} and {@link #PAUSED_PORTS}; several ports have commas between them, and what is missing is
     *               {@link #NONE}
     */
    void tcpFlags(Dpid dpid, Map<String, String> values);
}
