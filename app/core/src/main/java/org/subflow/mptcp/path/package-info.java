// SPDX-License-Identifier: Apache-2.0
/**
 * Paths for the subflows of a connection: the graph, a question and its answer, and what a strategy is.
 *
 * <h2>Input and output</h2>
 * A {@link org.subflow.mptcp.path.Graph} has nodes, links and a capacity for each direction; it is
 * immutable. A {@link org.subflow.mptcp.path.PathRequest} on it gives sources, targets, the number of paths, residual
 * bandwidth and the siblings' paths. A {@link org.subflow.mptcp.path.PathStrategy}, found by name in
 * {@code strategy.PathStrategies}, answers with a {@link org.subflow.mptcp.path.PathSet}. That holds the paths and their kind of
 * disjointness.
 *
 * <p>Packages below: {@code topology} draws and reads graphs, {@code search} has the searches for one request, and {@code
 * strategy} the strategies that use them.
 *
 * <p>Some strategies need more: the other connections, the hash key of the five-tuple, or a comparison of all shares. These are
 * the values of {@link org.subflow.mptcp.path.PathInput}; {@link org.subflow.mptcp.path.PathStrategy#needs()} lists those of a
 * strategy. A caller leaves out the rest. A strategy may name another one as {@link
 * org.subflow.mptcp.path.PathStrategy#alternative()}. Where a caller compares paths, it compares both strategies' paths, and
 * disjoint paths that are cheap by the links' prices. For widest-disjoint and network-wide that is multiflow.
 *
 * <p>Nothing here depends on ONOS, reads a clock, or takes random numbers but from seeds. So controller, planner,
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
 */
package org.subflow.mptcp.path;
