// SPDX-License-Identifier: Apache-2.0

/**
 * A farm of switches that speak OpenFlow 1.3 and do not forward, to load a controller with: what cbench was for OpenFlow 1.0.
 * {@code ./lab bench controller} starts it beside an ONOS.
 *
 * <pre>
 *   Console ──► Traffic ──► FarmSwitch ──► Wire ──► (controller)
 *                 │  ▲          │  ▲
 *                 │  └ Repair   │  └ FlowTable
 *                 ▼             ▼
 *              Frames         Fabric
 * </pre>
 *
 * <p>All runs on the thread of one {@link org.subflow.mptcp.farm.Loop}. A switch answers the handshake, echo, roles, ports,
 * statistics and barriers, and keeps flow rules. An LLDP frame that it is to send comes in at the other end of the link. A host's
 * frames are packet-ins of its switch: ARP, so that the controller finds it, and copies of SYN, SYN/ACK and FIN, as the embedded
 * ONOS has them copied. When a rule asks for the next packet of a connection, one with data comes.
 *
 * <p><b>What a switch does not do.</b> It forwards no packet, so nothing is ever lost, queued or late. Rules have no time-outs, and
 * meters, groups and queues are accepted and without effect. Counters of ports stand still. Those of subflows' rules grow at
 * the rate that each connection has, whether or not the path works.
 */
package org.subflow.mptcp.farm;
