// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics for Prometheus, made of what our services answer at the moment of the question. Prometheus' own library checks the
 * names and writes the text.
 *
 * <p>All names begin with {@code onos_mptcp_} and say their unit; rates are bytes/s on the wire, as Prometheus wants. The number of time
 * series is bounded: by the directed links of the network, the ports that {@code spoofed} and {@code limit.joins} count one by one, and
 * the names of counters. No series has a connection's or a host's name.
 */
package org.subflow.mptcp.metrics;
