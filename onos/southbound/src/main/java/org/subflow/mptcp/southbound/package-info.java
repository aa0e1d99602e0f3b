// SPDX-License-Identifier: Apache-2.0

/**
 * OpenFlow 1.3 for the embedded controller: ONOS's device, packet and flow rule providers on top of its own OpenFlow
 * channel ({@link org.onosproject.openflow.controller.OpenFlowController}).
 *
 * <pre>
 *     tcpflags                  a table of the southbound's own in every switch: copies of TCP segments
 *      |     |
 *   device   packet   flow        providers, one concern each
 *        \     |     /
 *          codec                  ONOS's selectors and treatments to OpenFlow matches and instructions, and back
 * </pre>
 *
 * <p>All of them register with {@link org.subflow.mptcp.southbound.OpenFlowIds#PROVIDER}: ONOS finds the provider of a
 * packet-out or a flow rule through the device's provider id, and drops both silently when it is another one.
 */
package org.subflow.mptcp.southbound;
