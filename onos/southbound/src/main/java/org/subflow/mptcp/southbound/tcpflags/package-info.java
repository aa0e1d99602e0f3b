// SPDX-License-Identifier: Apache-2.0

/**
 * Shows TCP segments with SYN, FIN or RST to applications, while the switches go on forwarding them.
 *
 * <p>A rule of ONOS either forwards a packet or sends it to the controller, because of all rules that match only the one
 * with the highest priority counts. To do both, the southbound has a flow table of its own before ONOS's tables: the
 * switch's <b>table 0</b>. ONOS's table 0 is the switch's table 1, and so on. ONOS never hears of table 0, and its
 * applications cannot write there. What stands in it:
 *
 * <pre>
 *   priority  match                                        actions
 *         40  TCP with SYN, without ACK,                   pass the port's       |
 *             from a port paused of late                   meter, then as 30    |
 *                                                          if paused, else as   |
 *                                                          20 or 10             |
 *         30  in_port = a port that leads to a switch,     go on to table 1     |
 *             or one that is paused                                             |
 *         20  TCP with SYN, without ACK                    to the controller    | while SYNs are diverted
 *         10  TCP with SYN, or FIN, or RST                 to the controller,   | while copies are wanted
 *                                                          go on to table 1     |
 *          0  everything                                   go on to table 1     always
 * </pre>
 *
 * <p>Segments may have a VLAN tag. The rules of priority 10, 20 and 40 are there for IPv4 and for IPv6. Those of priority 30 make a segment come once: from
 * the switch where it enters the network. While ONOS does not know a link yet, the switch behind it sends a copy as well,
 * so a receiver should look at the port. Every rule has a cookie of {@link org.subflow.mptcp.southbound.FirstTable},
 * by which packets that it brings are recognised.
 *
 * <p><b>For applications.</b> Whoever wants segments registers an OSGi service of the type
 * {@link org.onosproject.net.packet.PacketProcessor} with the property {@code tcp.flags}:
 * <ul>
 * <li>{@code copies}: it gets a copy of every segment with SYN, FIN or RST. The first
 * {@link org.subflow.mptcp.southbound.tcpflags.FirstTableRules#COPY_BYTES} bytes of the frame are there, so headers are
 * whole and the payload may be cut. A copy cannot be sent on: {@code send()} does nothing.
 * <li>{@code diverted-syns}: as long as such a service is there, segments with SYN and without ACK are not forwarded by the
 * switch, nor copied. The service gets them as a whole and sends them on or drops them.
 * <li>{@code observed}: it sees a copy of whatever comes for the others, before them, and asks for nothing itself. The
 * host provider learns addresses so.
 * </ul>
 * ONOS's packet service sees none of these packets, so no other application sends one on a second time. A processor is
 * called on the thread that reads the switch's messages and must not wait. Rules come with the first service and go with
 * the last.
 *
 * <p><b>No port can flood the controller.</b> A port may bring {@code mostCopiesPerSecond} segments a second (8000; 0 for any
 * number), copies and diverted SYNs together. {@code mostUnansweredSynsPerSecond} of them may be SYNs that no other port has
 * answered (2000; 0 for any number). A port that brings more is <i>paused</i>, for a second at first, for up to 16 if it goes
 * on: its segments are dropped before a processor sees them, and by the rule of priority 30 the switch brings no more. The
 * switch forwards them all the same, also SYNs that it would divert otherwise; a diverted SYN that was under way is lost, and
 * its sender repeats it. If nobody answered the port's SYNs, a meter lets {@code mostSynsPerSecond} of them pass (2000; 0 for
 * any number, without a meter), so that a flood does not fill links either. The meter stays for 16 seconds after the last
 * pause; in that time four fifths of what it lets pass begin the next pause. A switch without meters forwards all. So
 * processors miss the beginnings and ends of that port's connections, and of no other's. Ports that are paused, or were in the
 * last 16 seconds, are in the device's annotation
 * {@link org.subflow.mptcp.southbound.device.DeviceAnnotations#PAUSED_PORTS}.
 *
 * <p>A switch that refuses a rule with TCP flags sends no copies. Whether one sends them is in its device's annotation
 * {@link org.subflow.mptcp.southbound.device.DeviceAnnotations#TCP_FLAGS}: {@code copied} or {@code none}; which node's rules
 * the switch has confirmed is in {@link org.subflow.mptcp.southbound.device.DeviceAnnotations#TCP_FLAGS_NODE}. With the
 * component's property {@code copyTcpFlags} set to false, none sends any, and no SYN is diverted.
 *
 * <p>{@link org.subflow.mptcp.southbound.tcpflags.FirstTableRules} says which rules belong into a table.
 * {@link org.subflow.mptcp.southbound.tcpflags.FirstTables} keeps them there in all switches that this node is master of.
 * {@link org.subflow.mptcp.southbound.tcpflags.PausedPorts} says which ports are paused, and
 * {@link org.subflow.mptcp.southbound.tcpflags.AnsweredSyns} which SYNs were answered.
 * {@link org.subflow.mptcp.southbound.tcpflags.Segments} hands packets to processors.
 * {@link org.subflow.mptcp.southbound.tcpflags.TcpFlagCopies} is the component around them.
 */
package org.subflow.mptcp.southbound.tcpflags;
