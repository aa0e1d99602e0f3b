// SPDX-License-Identifier: Apache-2.0

/**
 * ONOS's {@link org.onosproject.persistence.PersistenceService} kept in memory.
 *
 * <p>The stores of the ONOS core want such a service before they start, and the bundle that keeps it on disk is not
 * published in a version that fits them. Nothing that the embedded controller stores has to outlive its process.
 */
package org.subflow.mptcp.southbound.persistence;
