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
 * <h2>How the searches work</h2>
 * A {@code Workspace} holds the arrays of all searches and is borrowed for one request, which therefore allocates nothing
 * but its answer. Marks are epoch numbers, so nothing is cleared between requests. A {@code PrunedGraph} is the graph of
 * the request with links and nodes closed. Ties are broken by node id, then link number: the arcs of a node are sorted
 * that way once, when the graph is built.
 */
package org.subflow.mptcp.path;
