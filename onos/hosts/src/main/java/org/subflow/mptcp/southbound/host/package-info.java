// SPDX-License-Identifier: Apache-2.0

/**
 * Hosts: who sent a packet that came in on a port with no switch behind it. The thread that brings a packet looks whether it tells
 * anything new, and goes on. What is new waits in a queue for another thread, which decides whether to believe it and writes it down.
 */
package org.subflow.mptcp.southbound.host;
