// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import java.util.HashSet;
import java.util.Set;
import org.onlab.packet.IpAddress;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.NodeId;

/** A cluster of one node, or of as many as a test says. */
public final class Alone extends ClusterServiceAdapter {
    public final Set<ControllerNode> nodes = new HashSet<>(Set.of(new DefaultControllerNode(
            NodeId.nodeId("1"), IpAddress.valueOf("127.0.0.1"))));

    @Override
    public Set<ControllerNode> getNodes() {
        return nodes;
    }
}
