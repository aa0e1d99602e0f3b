// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

/** Forecasts the paths and throughput of a connection that begins now, without any change. Thread-safe. */
public interface WhatIfService {
    /**
     * Computes a connection on the present network, next to the present connections.
     *
     * @param settings the assumed settings; strategy, subflows, JOIN policy and allocator count; not null
     * @param first    its first subflow, without a path: addresses and attachment points of the hosts; not null
     * @return the connection with the expected number of subflows, whose ports are invented. Each subflow has its path and
     *         its expected throughput at unlimited demand
     * @throws IllegalArgumentException if the strategy or allocator is unknown or cannot handle the request; the message
     *                                  says why
     * @throws IllegalStateException    if the answer takes too long or too many others wait
     */
    Connection whatIf(Settings settings, Subflow first);
}
