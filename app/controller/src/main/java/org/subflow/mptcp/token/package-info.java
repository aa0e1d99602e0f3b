// SPDX-License-Identifier: Apache-2.0
/**
 * Keys and tokens of MPTCP connections (RFC 8684, section 3.2), and whose token is whose. A token belongs to one host of a
 * connection, and the other host's MP_JOINs carry it.
 */
package org.subflow.mptcp.token;
