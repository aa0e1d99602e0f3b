// SPDX-License-Identifier: Apache-2.0
/**
 * Expected throughputs and attainable rates of connections on ONOS's network, computed by the placement core.
 *
 * <table>
 * <caption>Questions and the classes that answer them</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>expected throughput of every connection</td><td>{@link org.subflow.mptcp.sharing.ConnectionShares}</td></tr>
 * <tr><td>expected throughput of a new connection with all its subflows</td>
 *     <td>{@link org.subflow.mptcp.sharing.Forecasts}</td></tr>
 * <tr><td>attainable rates, a few connections at a time</td>
 *     <td>{@link org.subflow.mptcp.sharing.AttainableRateEstimator}</td></tr>
 * <tr><td>how close all connections come to the best of any routing, once a minute</td>
 *     <td>{@link org.subflow.mptcp.sharing.NetworkBoundEstimator}</td></tr>
 * <tr><td>bandwidth to reserve, and usage of links</td>
 *     <td>{@link org.subflow.mptcp.sharing.LinkLoad}, {@link org.subflow.mptcp.sharing.LinkUsages}</td></tr>
 * </table>
 * Rates are bit/s on the wire, per direction as seen from the connection's client.
 */
package org.subflow.mptcp.sharing;
