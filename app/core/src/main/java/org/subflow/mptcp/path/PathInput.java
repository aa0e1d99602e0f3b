// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

/** What only some strategies look at, so that a caller need not work it out for the others. */
public enum PathInput {
    /** The other connections: {@link PathRequest.Builder#competitors}. */
    COMPETITORS,
    /** What stands for the five-tuple: {@link PathRequest.Builder#flowKey}. */
    FLOW_KEY
}
