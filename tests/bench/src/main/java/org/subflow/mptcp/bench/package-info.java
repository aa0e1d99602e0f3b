// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ./lab bench}: time and memory of paths and shares, each beside the best library for the same problem.
 *
 * <p>A benchmark is a JMH class with two methods, {@code ours} and {@code peer}, over the same questions; its set-up fails
 * unless both give the same answer. {@code BenchmarkPair} lists them by name, {@link org.subflow.mptcp.bench.Harness} runs
 * them and {@code Main} prints them. All seeds are fixed.
 */
package org.subflow.mptcp.bench;
