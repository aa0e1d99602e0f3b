// SPDX-License-Identifier: Apache-2.0
/**
 * Karaf commands. Each prints a table, or JSON with {@code -j}; rates are Mbit/s on the wire, {@code up/down} as seen
 * from the connection's client.
 */
package org.subflow.mptcp.cli;
