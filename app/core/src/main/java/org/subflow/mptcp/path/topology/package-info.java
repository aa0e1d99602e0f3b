// SPDX-License-Identifier: Apache-2.0
/**
 * Networks for path strategies: those of the papers, generators with a seed, and a reader of node-link JSON.
 *
 * <p>Used by the planner, the tests, the benchmarks and the reproduction of the papers; the controller takes its network
 * from ONOS instead. Capacities are in bit/s, except in files, which say Mbit/s in the field's name. Every generator gives
 * the same graph for the same seed on every machine ({@link java.util.SplittableRandom}, whose sequence is specified).
 */
package org.subflow.mptcp.path.topology;
