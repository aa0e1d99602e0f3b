// SPDX-License-Identifier: Apache-2.0
/**
 * What is sent and what is wanted, from the counters that switches tell. Design of the package.
 *
 * <p>Switches tell the counters of their rules and ports now and then, each at moments of its own and late: between what
 * they say and what connections are due stands everything here.
 * <ul>
 * <li>{@link org.subflow.mptcp.measure.Meter} follows the two rules by which each subflow enters the network: rates,
 * how long a connection has stood still, and counters as {@link org.subflow.mptcp.measure.CounterSpan}s.</li>
 * <li>{@link org.subflow.mptcp.measure.Demands} guesses what each connection wants per direction.</li>
 * <li>{@link org.subflow.mptcp.measure.OtherTraffic} is what links carry beside our subflows: of each an account of its
 * port's counter against our rules', both at the same moments.</li>
 * </ul>
 *
 * <p>Counters may stand still, run backwards, be missing or be nonsense: then the series begins anew, and no rate is ever
 * negative or no number. Rates are bit/s on the wire. All of it learns on the control loop; any thread may ask. Nothing here
 * decides anything.
 */
package org.subflow.mptcp.measure;
