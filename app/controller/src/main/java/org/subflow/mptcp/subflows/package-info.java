// SPDX-License-Identifier: Apache-2.0
/**
 * The subflows that clients' agents open, on paths of their own.
 *
 * <pre>
 *   SubflowPlanner → PlannedSubflows, RequestRule     which are asked for, and when
 *                  → FailedPaths                      not soon on paths that have failed
 *                  → AddressPairs                     between which of the hosts' addresses
 *                  → SourcePorts, SubflowLimit        from which port, and how many
 * </pre>
 *
 * <p>Used by the control loop only.
 */
package org.subflow.mptcp.subflows;
