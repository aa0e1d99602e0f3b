// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

/** Says what a connection that began now would get, without touching anything. Thread-safe. */
public interface WhatIfService {
    /**
     * Works out a connection on the network as it is, beside the connections that are there.
     *
     * @param settings the settings that it would meet; strategy, subflows, JOIN policy and allocator count; not null
     * @param first    its first subflow, without a path: addresses and places of the hosts; not null
     * @return the connection with as many subflows as the settings ask for (their ports are invented), each with the path
     *         and the expected throughput that it would have if it sent as much as it may
     * @throws IllegalArgumentException if the strategy or allocator is unknown or cannot do what is asked; the message
     *                                  says why
     * @throws IllegalStateException    if the controller is too busy to answer
     */
    Connection whatIf(Settings settings, Subflow first);
}
