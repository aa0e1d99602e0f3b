// SPDX-License-Identifier: Apache-2.0
/**
 * The offline planner behind {@code ./lab plan}: paths and shares for connections on a topology, without a network.
 *
 * <p>It runs outside OSGi, from a jar of its own, on the core that the controller uses ({@code path}, {@code share},
 * {@code placement}). So what it plans is what the controller would do. The way of a request:
 * <ol>
 * <li>{@link org.subflow.mptcp.plan.PlanOptions} reads the command line;</li>
 * <li>{@link org.subflow.mptcp.plan.TopologySource} finds or reads the topology ({@link
 * org.subflow.mptcp.plan.GraphMlReader} for GraphML), {@link org.subflow.mptcp.plan.ConnectionsReader} the
 * connections;</li>
 * <li>{@link org.subflow.mptcp.plan.Planning} places the connections by {@link org.subflow.mptcp.placement.Placement}, one after
 * the other, and then looks for better paths;</li>
 * <li>a {@link org.subflow.mptcp.plan.PlanWriter} prints the {@link org.subflow.mptcp.plan.Plan}.</li>
 * </ol>
 * What is wrong with the input ends as an {@link org.subflow.mptcp.plan.InputException}: one line on standard error,
 * status 2. Rates inside are in bit/s, in files and output in Mbit/s. Nothing depends on the clock but the two times in the
 * output, nothing on chance but by {@code --seed}.
 */
package org.subflow.mptcp.plan;
