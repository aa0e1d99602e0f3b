// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

/** Tells which ONOS node decides. Thread-safe. */
public interface ClusterStateService {
    /** Returns the state now. With one ONOS node, that node decides. */
    ClusterState clusterState();
}
