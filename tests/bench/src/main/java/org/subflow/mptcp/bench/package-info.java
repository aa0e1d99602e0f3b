// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ./lab bench}: what paths and shares cost, each beside the best library that answers the same question.
 *
 * <p>A benchmark is a JMH class with two methods, {@code ours} and {@code peer}, over the same questions; its set-up makes
 * sure that both give the same answer, or fails. {@code BenchmarkPair} lists them by name,
 * {@link org.subflow.mptcp.bench.Harness} runs them and {@code Main} prints them. All seeds are fixed.
 */
package org.subflow.mptcp.bench;
