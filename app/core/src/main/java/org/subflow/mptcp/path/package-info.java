// SPDX-License-Identifier: Apache-2.0
/**
 * Paths for the subflows of a connection: strategies on plain int-array graphs.
 *
 * <h2>What goes in and out</h2>
 * A {@link org.subflow.mptcp.path.Graph} (immutable; nodes, links, a capacity for each direction), a
 * {@link org.subflow.mptcp.path.PathRequest} (from where, to where, how many, what is left of the bandwidth, which paths
 * siblings use), a {@link org.subflow.mptcp.path.PathStrategy} found by name in
 * {@link org.subflow.mptcp.path.PathStrategies}, and a {@link org.subflow.mptcp.path.PathSet}, which says in what way its
 * paths are disjoint. The package knows nothing of ONOS, reads no clock and draws nothing at random, so controller,
 * planner, benchmarks and simulator use the same classes and the same request gets the same answer.
 *
 * <h2>What counts as what</h2>
 * <ul>
 * <li>Bandwidth is in bit/s, as double, everywhere. An arc can be used if its residual bandwidth is above 0.</li>
 * <li>Both directions of a link are one link: two paths that cross it in opposite directions are not disjoint.</li>
 * <li>A host with several attachment points is a request with several sources (or targets): as if one more node were
 * joined to all of them. No path passes through a source or target on its way; several may start or end at the same.</li>
 * <li>Node-disjoint paths share no node in between and no link, so a direct link counts once.</li>
 * <li>A used path closes its links, and for node-disjointness all its nodes but those where this request starts and ends;
 * a start or end that lies in between on a used path is closed as well.</li>
 * <li>The bottleneck of a path is its smallest capacity; the strategies that look at bandwidth compare residuals.</li>
 * </ul>
 *
 * <h2>The strategies</h2>
 * <table>
 * <caption>By the name that users type</caption>
 * <tr><th>name</th><th>disjoint</th><th>options</th><th>from</th></tr>
 * <tr><td>widest-disjoint</td><td>link, node</td><td>prefer, exact (it is)</td><td>beyond the papers; the default</td></tr>
 * <tr><td>k-max-min</td><td>link, node</td><td>m</td><td>Sheu</td></tr>
 * <tr><td>k-max</td><td>link, node</td><td></td><td>Loh, as in Sheu</td></tr>
 * <tr><td>shortest</td><td>nothing promised</td><td></td><td>all, as baseline</td></tr>
 * <tr><td>link-disjoint</td><td>link</td><td>exact</td><td>Gómez</td></tr>
 * <tr><td>node-disjoint</td><td>node</td><td>exact</td><td>Gómez</td></tr>
 * <tr><td>zone-disjoint</td><td>zone</td><td></td><td>Gómez</td></tr>
 * <tr><td>multiflow</td><td>link, node</td><td></td><td>Multiflow</td></tr>
 * <tr><td>resource-pool</td><td>nothing promised</td><td></td><td>S-MPTCP</td></tr>
 * <tr><td>ecmp</td><td>nothing promised</td><td></td><td>data centres, as baseline</td></tr>
 * </table>
 * A strategy refuses what it cannot do; {@link org.subflow.mptcp.path.PathStrategy#disjointness()} and
 * {@link org.subflow.mptcp.path.PathStrategy#options()} say beforehand what it can, so a caller with settings for several
 * strategies passes on only those that the chosen one knows.
 *
 * <h2>How the searches work</h2>
 * A {@code Workspace} holds the arrays of all searches and is borrowed for one request, which therefore allocates nothing
 * but its answer (only the second stage of resource-pool, which is rare, builds a graph for JGraphT). Marks are epoch
 * numbers, so nothing is cleared between requests. A {@code PrunedGraph} is the graph of the request with links and nodes
 * closed. Ties are broken by node id, then link number: the arcs of a node are sorted that way once, when the graph is built.
 * <ul>
 * <li>{@code HopSearch}: fewest hops, from both ends.</li>
 * <li>{@code DisjointFlow}: disjoint paths as a flow of units, on the graph or on its {@code SplitGraph} for node-disjoint
 * ones. It grows by {@code WidestAugmentation} (largest smallest bottleneck) or {@code CheapestAugmentation} (fewest hops in
 * total), and {@code FlowDecomposition} takes the paths out.</li>
 * <li>{@code WidestFirst} with {@code ThresholdSearch}: what widest-disjoint does with the freedom its exact goals leave.</li>
 * <li>{@code CandidatePaths} and {@code DisjointSubset}: the two phases of k-max-min.</li>
 * <li>{@code Dinic}: maximum flow, for resource-pool and, as {@link org.subflow.mptcp.path.MaximumFlow}, for whoever wants
 * to know what a connection could reach.</li>
 * </ul>
 */
package org.subflow.mptcp.path;
