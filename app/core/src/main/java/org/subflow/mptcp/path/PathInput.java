// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

/**
 * What only some strategies need ({@link PathStrategy#needs()}). A caller leaves it out for the others.
 */
public enum PathInput {
    /** The other connections: {@link PathRequest.Builder#competitors}. */
    COMPETITORS,
    /** The hash key of the five-tuple: {@link PathRequest.Builder#flowKey}. */
    FLOW_KEY,
    /**
     * The shares of all connections. They are no part of a request: a caller that knows the network compares sets of paths by
     * them, of which the strategy's answer is the first.
     */
    SHARES
}
