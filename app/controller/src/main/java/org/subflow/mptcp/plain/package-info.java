// SPDX-License-Identifier: Apache-2.0
/**
 * TCP that is not MPTCP: forwarded at full rate by exact rules with an idle time-out, then forgotten.
 */
package org.subflow.mptcp.plain;
