// SPDX-License-Identifier: Apache-2.0
/**
 * Builds an immutable {@link org.subflow.mptcp.topology.NetworkSnapshot} from ONOS's devices, links, capacities and
 * statistics. Paths and shares are computed on it.
 *
 * <p>Capacities are bit/s, per direction. Hosts are no nodes: a path runs from switch to switch, so that disjointness
 * concerns links between switches.
 */
package org.subflow.mptcp.topology;
