// SPDX-License-Identifier: Apache-2.0
/**
 * The offline planner behind {@code ./lab plan}: paths and shares for connections on a topology, without a network.
 *
 * <p>It runs outside OSGi, from a jar of its own. It calls the core's {@code placement}, as the controller does. So the same
 * connections get the same paths and shares from both. The steps of a request:
 * <ol>
 * <li>{@link org.subflow.mptcp.plan.PlanOptions} reads the command line;</li>
 * <li>{@link org.subflow.mptcp.plan.TopologySource} finds the topology; files, and what a controller answers, are read in package {@code file}. {@link
 * org.subflow.mptcp.plan.ConnectionsReader} reads the connections;</li>
 * <li>{@link org.subflow.mptcp.plan.Planning} places one connection after the other with
 * {@link org.subflow.mptcp.placement.search.Placement}, and then lets them move to better paths;</li>
 * <li>a {@link org.subflow.mptcp.plan.PlanWriter} prints the {@link org.subflow.mptcp.plan.Plan}.</li>
 * </ol>
 * Wrong input ends in an {@link org.subflow.mptcp.plan.InputException}: one line on standard error, status 2. Rates inside
 * are in bit/s, in files and output in Mbit/s. Only the two times in the output depend on the clock. Random numbers come from
 * {@code --seed}.
 */
package org.subflow.mptcp.plan;
