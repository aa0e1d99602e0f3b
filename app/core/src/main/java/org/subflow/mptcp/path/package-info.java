// SPDX-License-Identifier: Apache-2.0
/**
 * Paths for the subflows of a connection: strategies on plain int-array graphs.
 *
 * <h2>Input and output</h2>
 * A {@link org.subflow.mptcp.path.Graph} has nodes, links and a capacity for each direction; it is
 * immutable. A {@link org.subflow.mptcp.path.PathRequest} on it gives sources, targets, the number of paths, residual
 * bandwidth and the siblings' paths. A {@link org.subflow.mptcp.path.PathStrategy}, found by name in
 * {@link org.subflow.mptcp.path.PathStrategies}, answers with a {@link org.subflow.mptcp.path.PathSet}. That holds the paths
 * and their kind of disjointness.
 *
 * <p>Some strategies need more of a request: the other connections, the hash key of the five-tuple, or a comparison of all
 * shares. A caller that knows the network implements that comparison ({@link org.subflow.mptcp.path.ShareComparer}). These are the values
 * of {@link org.subflow.mptcp.path.PathInput}; {@link org.subflow.mptcp.path.PathStrategy#needs()} lists those of a strategy.
 * A caller leaves out the rest. A strategy may name another one as {@link org.subflow.mptcp.path.PathStrategy#alternative()}.
 * When a living subflow may move, both strategies' paths are compared, and disjoint paths that are cheap by the links'
 * prices. For widest-disjoint and network-wide that is multiflow.
 *
 * <p>The package does not depend on ONOS, reads no clock and takes its random numbers from seeds. So controller, planner,
 * benchmarks and reproduction use the same classes, and the same request gets the same answer.
 *
 * <h2>Conventions</h2>
 * <ul>
 * <li>Bandwidth is in bit/s, as double, everywhere. An arc can be used if its residual bandwidth is above 0.</li>
 * <li>Both directions of a link are one link: two paths that cross it in opposite directions are not disjoint.</li>
 * <li>A host with several attachment points is a request with several sources (or targets), as if one more node were joined
 * to all of them. No path has a source or target in between. Several paths may start or end at the same one.</li>
 * <li>Node-disjoint paths share no node in between and no link, so a direct link counts once.</li>
 * <li>A used path closes its links. For node-disjointness it also closes its nodes, except this request's sources and
 * targets. A source or target that lies in between on a used path is closed as well.</li>
 * <li>The bottleneck of a path is its smallest capacity; strategies that consider bandwidth compare residuals.</li>
 * </ul>
 *
 * <h2>The strategies</h2>
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
 * All strategies keep to a request's limits to delays ({@link org.subflow.mptcp.path.PathLimits}). With limits, or disjoint by
 * shared-risk link groups, {@code widest-disjoint} is exact in two cases ({@code ConstrainedPaths}). Either the network is small,
 * or the unlimited answer keeps to what is asked.
 *
 * <p>A strategy refuses a request that it cannot answer. {@link org.subflow.mptcp.path.PathStrategy#disjointness()} and
 * {@link org.subflow.mptcp.path.PathStrategy#options()} list its abilities. So a caller with settings for several strategies
 * passes on only those that the chosen one knows.
 *
 * <h2>How the searches work</h2>
 * A {@code Workspace} holds the arrays of all searches and is borrowed for one request. So a request allocates only its
 * answer. The exception is the second stage of resource-pool, which is rare and builds a graph for JGraphT. Marks are epoch
 * numbers, so nothing is cleared between requests. A {@code PrunedGraph} is the graph of the request with links and nodes
 * closed. Ties are broken by node id, then link number: the arcs of a node are sorted that way once, when the graph is built.
 * <ul>
 * <li>{@code HopSearch}: fewest hops, from both ends.</li>
 * <li>{@code DisjointFlow}: disjoint paths as a flow of units, on the graph or on its {@code SplitGraph} for node-disjoint
 * ones. It grows by {@code WidestAugmentation} (largest smallest bottleneck) or {@code CheapestAugmentation} (fewest hops in
 * total, or the smallest price: {@link org.subflow.mptcp.path.CheapestDisjoint}). {@code FlowDecomposition} decomposes it into paths.</li>
 * <li>{@code WidestFirst} with {@code ThresholdSearch}: the choice of widest-disjoint among sets of paths that meet its exact
 * goals.</li>
 * <li>{@code ConstrainedPaths} with {@code CandidateList} and {@code Delays}: limits to delays, and groups.</li>
 * <li>{@code CandidatePaths} and {@code DisjointSubset}: the two phases of k-max-min.</li>
 * <li>{@code Dinic}: maximum flow, for resource-pool and, as {@link org.subflow.mptcp.path.MaximumFlow}, for attainable
 * rates.</li>
 * <li>{@link org.subflow.mptcp.path.CheapestTree}: cheapest paths under prices of arcs, for the bound on all routings.</li>
 * </ul>
 */
package org.subflow.mptcp.path;
