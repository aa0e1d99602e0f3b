// SPDX-License-Identifier: Apache-2.0
/**
 * Rules beside those of managed connections. {@link org.subflow.mptcp.plain.PlainTraffic} forwards TCP without MPTCP at
 * full rate. {@link org.subflow.mptcp.plain.WakeRules} brings the next packet of a connection without rules to the controller.
 */
package org.subflow.mptcp.plain;
