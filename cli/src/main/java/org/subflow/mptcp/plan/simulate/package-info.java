// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ./lab simulate}: connections that arrive, share a network and end, on networks that no machine can emulate.
 *
 * <p>It is beside the planner and not in {@code tests/}, because it is a command for users. It reads the planner's topologies,
 * demands and names, it is packed into the planner's jar, and it decides by the same core. Nothing else depends on it.
 *
 * <ol>
 * <li>{@link org.subflow.mptcp.plan.simulate.SimulateOptions} reads the command line, {@link
 * org.subflow.mptcp.plan.simulate.Help} explains it;</li>
 * <li>{@link org.subflow.mptcp.plan.simulate.Traffic} makes the connections of a seed, {@link
 * org.subflow.mptcp.plan.simulate.Failures} reads what happens to links. No run has a part in either, so all strategies get the
 * same;</li>
 * <li>each {@link org.subflow.mptcp.plan.simulate.RunKey} is one run of package {@code engine};</li>
 * <li>{@link org.subflow.mptcp.plan.simulate.Summary} has its figures, {@link org.subflow.mptcp.plan.simulate.Comparison} those of all
 * seeds. {@link org.subflow.mptcp.plan.simulate.Report} prints them, and {@link org.subflow.mptcp.plan.simulate.OutputFolder} keeps
 * them.</li>
 * </ol>
 * Times are in seconds, rates in bit/s inside and in Mbit/s in files and output, sizes in bytes of payload. Only what goes to standard
 * error depends on a clock.
 */
package org.subflow.mptcp.plan.simulate;
