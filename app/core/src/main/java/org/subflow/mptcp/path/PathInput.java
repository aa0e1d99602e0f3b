// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

/**
 * A part of a {@link PathRequest} that only some strategies need ({@link PathStrategy#needs()}). A caller leaves it out for
 * the others.
 */
public enum PathInput {
    /** The other connections: {@link PathRequest.Builder#competitors}. */
    COMPETITORS,
    /** The hash key of the five-tuple: {@link PathRequest.Builder#flowKey}. */
    FLOW_KEY,
    /** The shares of all connections: {@link PathRequest.Builder#shares}. */
    SHARES
}
