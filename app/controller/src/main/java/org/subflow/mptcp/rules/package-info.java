// SPDX-License-Identifier: Apache-2.0
/**
 * The application's rules in the switches, whoever wants them.
 *
 * <pre>
 *   {@link org.subflow.mptcp.rules.RuleKind}     all kinds of rules and their priorities
 *   {@link org.subflow.mptcp.rules.TupleMatch}   what an exact rule matches, and the five-tuple of an exact rule
 *   {@link org.subflow.mptcp.rules.RuleReading}  the rules that ONOS has, read once for all that look at them
 *   {@link org.subflow.mptcp.rules.OwnRules}     readings, and operations on the application's rules with their outcomes
 *   {@link org.subflow.mptcp.rules.Reconciler}   wanted rules and those that ONOS has, compared again and again
 * </pre>
 *
 * <p>Who wants rules asks for them and has them removed at once: a subflow's path or a wake rule cannot wait. The reconciler mends
 * what becomes of that in ONOS. It knows of each kind what is wanted ({@link org.subflow.mptcp.rules.WantedRules}). Rules of
 * plain TCP have time-outs; nobody keeps a list of them, so they just end.
 */
package org.subflow.mptcp.rules;
