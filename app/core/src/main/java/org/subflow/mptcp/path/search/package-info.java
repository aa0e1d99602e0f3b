// SPDX-License-Identifier: Apache-2.0
/**
 * The searches for the paths of one request, on plain int arrays.
 *
 * <p>A {@code Workspace} holds the arrays of all searches and is borrowed for one request. So a request allocates only its
 * answer. The exception is the second stage of resource-pool, which is rare and builds a graph for JGraphT. Marks are epoch
 * numbers, so nothing is cleared between requests. A {@code PrunedGraph} is the graph of the request with links and nodes
 * closed. Ties are broken by node id, then link number: the arcs of a node are sorted that way once, when the graph is built.
 * <ul>
 * <li>{@code HopSearch}: fewest hops, from both ends.</li>
 * <li>{@code DisjointFlow}: disjoint paths as a flow of units, on the graph or on the graph with its nodes split for node-disjoint
 * ones. It grows by {@code WidestAugmentation} (largest smallest bottleneck) or {@code CheapestAugmentation} (fewest hops in
 * total, or the smallest price: {@link org.subflow.mptcp.path.search.CheapestDisjoint}). {@code FlowDecomposition} decomposes it into paths.</li>
 * <li>{@code WidestFirst} with {@code ThresholdSearch}: the choice of widest-disjoint among sets of paths that meet its exact
 * goals.</li>
 * <li>{@code ConstrainedPaths} with {@code CandidateList} and {@code Delays}: limits to delays, and groups.</li>
 * <li>{@code Dinic}: maximum flow, for resource-pool and, as {@link org.subflow.mptcp.path.search.MaximumFlow}, for attainable
 * rates.</li>
 * <li>{@link org.subflow.mptcp.path.search.CheapestTree}: cheapest paths under prices of arcs, for the bound on all routings.</li>
 * </ul>
 */
package org.subflow.mptcp.path.search;
