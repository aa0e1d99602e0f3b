// SPDX-License-Identifier: Apache-2.0
/**
 * Forwards TCP connections without MPTCP at full rate, by exact rules with an idle time-out, and keeps no state of them.
 */
package org.subflow.mptcp.plain;
