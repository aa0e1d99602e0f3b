// SPDX-License-Identifier: Apache-2.0

/** Flow rules: batches that end with a barrier, removals, and counters by polling. */
package org.subflow.mptcp.southbound.flow;
