// SPDX-License-Identifier: Apache-2.0
/**
 * Reserves the bandwidth of connections in ONOS's resource service.
 *
 * <p>{@link org.subflow.mptcp.reservation.ReservationKeeper} takes requests from any thread, writes them on a thread of its own, and
 * repeats those that ONOS refuses. {@link org.subflow.mptcp.reservation.Reservations} knows what ONOS has of ours. {@link
 * org.subflow.mptcp.reservation.ResourceWatch} notices when others reserve or release. {@link
 * org.subflow.mptcp.reservation.LostPorts} releases what is reserved at ports that are lost, and {@link
 * org.subflow.mptcp.reservation.LinkResources} takes these ports out of ONOS's resources where ONOS has left them.
 */
package org.subflow.mptcp.reservation;
