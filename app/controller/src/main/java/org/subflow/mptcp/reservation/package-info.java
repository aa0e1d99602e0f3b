// SPDX-License-Identifier: Apache-2.0
/**
 * Reserves the bandwidth of connections in ONOS's resource service.
 *
 * <p>{@link org.subflow.mptcp.reservation.ReservationKeeper} takes requests from any thread, writes them on a thread of its own, and
 * repeats those that ONOS refuses. {@link org.subflow.mptcp.reservation.Reservations} knows what ONOS has of ours. {@link
 * org.subflow.mptcp.reservation.ResourceWatch} notices when others reserve or release. {@link
 * org.subflow.mptcp.reservation.LinkResources} takes lost ports out of ONOS's resources where ONOS has left them.
 *
 * <p>ONOS takes a lost port out of its resources on a thread of its own, and refuses, with a warning, while bandwidth is reserved
 * there. Nobody can make it wait. So we do not race it: rules on other paths come first, then reservations follow them, and then
 * {@code LinkResources} takes the port out.
 */
package org.subflow.mptcp.reservation;
