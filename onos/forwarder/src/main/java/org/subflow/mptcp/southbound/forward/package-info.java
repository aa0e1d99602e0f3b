// SPDX-License-Identifier: Apache-2.0

/**
 * Forwarding for everything that no other application handles, with rules for pairs of MAC addresses. It behaves as ONOS's
 * own {@code org.onosproject.fwd} does in its default configuration, under whose name it runs. It differs in one thing: that
 * one sends a packet on while its rule is still under way.
 */
package org.subflow.mptcp.southbound.forward;
