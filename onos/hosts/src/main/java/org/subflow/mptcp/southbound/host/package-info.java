// SPDX-License-Identifier: Apache-2.0

/** Hosts: who sent a packet that came in on a port with no switch behind it. */
package org.subflow.mptcp.southbound.host;
