// SPDX-License-Identifier: Apache-2.0
/**
 * The path strategies, one class each.
 *
 * <table>
 * <caption>By the name that users type</caption>
 * <tr><th>name</th><th>disjoint</th><th>options</th><th>from</th></tr>
 * <tr><td>widest-disjoint</td><td>link, node, srlg</td><td>prefer, exact (it is)</td><td>beyond the papers; the default</td></tr>
 * <tr><td>k-max-min</td><td>link, node</td><td>m</td><td>Sheu</td></tr>
 * <tr><td>k-max</td><td>link, node, srlg</td><td></td><td>Loh, as in Sheu</td></tr>
 * <tr><td>shortest</td><td>nothing promised</td><td></td><td>all, as baseline</td></tr>
 * <tr><td>link-disjoint</td><td>link</td><td>exact</td><td>Gómez</td></tr>
 * <tr><td>node-disjoint</td><td>node</td><td>exact</td><td>Gómez</td></tr>
 * <tr><td>zone-disjoint</td><td>zone</td><td></td><td>Gómez</td></tr>
 * <tr><td>multiflow</td><td>link, node, srlg</td><td></td><td>Multiflow</td></tr>
 * <tr><td>network-wide</td><td>link, node, srlg</td><td></td><td>beyond the papers</td></tr>
 * <tr><td>resource-pool</td><td>nothing promised</td><td></td><td>S-MPTCP</td></tr>
 * <tr><td>ecmp</td><td>nothing promised</td><td></td><td>data centres, as baseline</td></tr>
 * </table>
 * {@code CandidatePaths} and {@code DisjointSubset} are the two phases of k-max-min; {@code PoolCandidates} is the second stage of
 * resource-pool.
 *
 * <p>All strategies keep to a request's limits to delays ({@link org.subflow.mptcp.path.PathLimits}). With limits, or disjoint by
 * shared-risk link groups, {@code widest-disjoint} is exact in two cases ({@code ConstrainedPaths}). Either the network is small,
 * or the unlimited answer keeps to what is asked.
 *
 * <p>A strategy refuses a request that it cannot answer. {@link org.subflow.mptcp.path.PathStrategy#disjointness()} and
 * {@link org.subflow.mptcp.path.PathStrategy#options()} list its abilities. So a caller with settings for several strategies
 * passes on only those that the chosen one knows.
 */
package org.subflow.mptcp.path.strategy;
