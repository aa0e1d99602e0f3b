// SPDX-License-Identifier: Apache-2.0
/**
 * The offline planner behind {@code ./lab plan}: paths and shares for connections on a topology, without a network.
 *
 * <p>It runs outside OSGi, from a jar of its own, on the controller's own strategies ({@code path}) and allocators
 * ({@code share}), so that what it plans is what the controller would do. The way of a request:
 * <ol>
 * <li>{@link org.subflow.mptcp.plan.PlanOptions} reads the command line;</li>
 * <li>{@link org.subflow.mptcp.plan.TopologySource} finds or reads the topology ({@link
 * org.subflow.mptcp.plan.GraphMlReader} for GraphML), {@link org.subflow.mptcp.plan.ConnectionsReader} the
 * connections;</li>
 * <li>{@link org.subflow.mptcp.plan.Planning} places one connection after the other: {@link
 * org.subflow.mptcp.plan.Router} chooses its paths on what {@link org.subflow.mptcp.plan.Sharing} says that those before
 * it leave;</li>
 * <li>a {@link org.subflow.mptcp.plan.PlanWriter} prints the {@link org.subflow.mptcp.plan.Plan}.</li>
 * </ol>
 * What is wrong with the input ends as an {@link org.subflow.mptcp.plan.InputException}: one line on standard error,
 * status 2. Rates inside are in bit/s, in files and output in Mbit/s. Nothing depends on the clock but the two times in the
 * output, nothing on chance but by {@code --seed}.
 */
package org.subflow.mptcp.plan;
