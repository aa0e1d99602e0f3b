// SPDX-License-Identifier: Apache-2.0

/**
 * ONOS's {@link org.onosproject.persistence.PersistenceService} kept in memory.
 *
 * <p>The stores of the ONOS core want such a service before they start, and the bundle that keeps it on disk is not
 * published in a version that fits them. What has to outlive the process does not need it: applications' consistent maps,
 * hosts, allocations and the configuration are in the log that Atomix keeps on disk.
 */
package org.subflow.mptcp.southbound.persistence;
