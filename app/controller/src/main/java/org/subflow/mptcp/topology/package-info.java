// SPDX-License-Identifier: Apache-2.0
/**
 * From ONOS's devices, links, capacities and statistics to an immutable
 * {@link org.subflow.mptcp.topology.NetworkSnapshot} on which paths and shares are worked out.
 *
 * <p>Capacities are bit/s, per direction. Hosts are no nodes: a path runs from switch to switch, so that disjointness
 * speaks of links between switches.
 */
package org.subflow.mptcp.topology;
