// SPDX-License-Identifier: Apache-2.0
/**
 * What connections on ONOS's network should get and could get, by the placement core.
 *
 * <table>
 * <caption>Questions and the classes that answer them</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>everybody's expected throughput</td><td>{@link org.subflow.mptcp.sharing.ConnectionShares}</td></tr>
 * <tr><td>a newcomer's, with all its subflows</td><td>{@link org.subflow.mptcp.sharing.Forecasts}</td></tr>
 * <tr><td>attainable rates, a few connections at a time</td>
 *     <td>{@link org.subflow.mptcp.sharing.AttainableRateEstimator}</td></tr>
 * <tr><td>what to reserve, and how links are used</td>
 *     <td>{@link org.subflow.mptcp.sharing.LinkLoad}, {@link org.subflow.mptcp.sharing.LinkUsages}</td></tr>
 * </table>
 * Rates are bit/s on the wire, per direction as seen from the connection's client.
 */
package org.subflow.mptcp.sharing;
