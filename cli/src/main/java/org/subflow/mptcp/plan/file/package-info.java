// SPDX-License-Identifier: Apache-2.0
/**
 * Networks in files as people have them, for the planner.
 * <pre>
 *   TopologyFile → FileKind                                  which form it has: by its first characters
 *      → core's NodeLinkReader                               networkx's node-link JSON
 *      → GraphMlReader, GmlReader                            attributes of links: core's LinkFields
 *      → SndlibReader, SndlibNativeReader, RepetitaReader    with demands: FileDemand
 *      → OnosReader, MiniEditReader                          what ONOS, its network configuration and we print; MiniEdit
 *   LiveNetwork → OnosReader                                 a controller's network and connections
 * </pre>
 * <p>All give what they read to the core's {@link org.subflow.mptcp.path.topology.TopologyBuilder}, which checks it. Wrong input
 * ends in an {@link java.lang.IllegalArgumentException} whose message begins with the file's name and the place in it.
 *
 * <p>XML is read with the JDK's StAX, GML by some lines of our own. JGraphT's importers refuse attributes of a type that they do
 * not know and numbers with an exponent, and they tell neither GML's {@code directed} nor that of a single edge.
 */
package org.subflow.mptcp.plan.file;
