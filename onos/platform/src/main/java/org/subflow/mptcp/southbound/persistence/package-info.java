// SPDX-License-Identifier: Apache-2.0

/**
 * ONOS's {@link org.onosproject.persistence.PersistenceService} kept in memory.
 *
 * <p>The stores of the ONOS core need such a service before they start. The bundle that keeps it on disk is not published
 * in a version that fits them. Atomix keeps what has to outlive the process in its own log on disk: applications'
 * consistent maps, hosts, allocations and the configuration.
 */
package org.subflow.mptcp.southbound.persistence;
