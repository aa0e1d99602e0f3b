// SPDX-License-Identifier: Apache-2.0

/** Packets from switches to ONOS, and from ONOS out of switches. */
package org.subflow.mptcp.southbound.packet;
