// SPDX-License-Identifier: Apache-2.0
/**
 * Rates and demands from the counters of switches. Design of the package.
 *
 * <p>Switches report the counters of rules and ports with delay, each at its own times. This package turns them into
 * rates, demands and other traffic.
 * <ul>
 * <li>{@link org.subflow.mptcp.measure.Meter} reads the two rules at which each subflow enters the network. It gives rates,
 * idle times of connections, and counters as {@link org.subflow.mptcp.measure.CounterSpan}s.</li>
 * <li>{@link org.subflow.mptcp.measure.MasterClocks} corrects the times of counters that another node has stamped.</li>
 * <li>{@link org.subflow.mptcp.measure.Demands} estimates the demand of each connection per direction.</li>
 * <li>{@link org.subflow.mptcp.measure.OtherTraffic} estimates all traffic on links but our subflows. It compares the
 * counter of each port with those of our rules at the same times.</li>
 * </ul>
 *
 * <p>Counters may stand still, run backwards, be missing or be nonsense. The series then restarts, and no rate is ever
 * negative or NaN. Rates are bit/s on the wire. The control loop updates all of it; any thread may ask. Nothing here makes
 * decisions.
 */
package org.subflow.mptcp.measure;
