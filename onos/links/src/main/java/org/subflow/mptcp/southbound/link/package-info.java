// SPDX-License-Identifier: Apache-2.0

/**
 * Links between switches: a probe goes out of every port, and where it comes in again there is a link.
 *
 * <p>A link goes at once when a port or switch at one of its ends goes down, and after a while when its probes no longer
 * arrive.
 */
package org.subflow.mptcp.southbound.link;
