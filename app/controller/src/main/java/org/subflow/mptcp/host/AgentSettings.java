// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

/** What is wanted of agents just now. Any thread may ask. */
public interface AgentSettings {
    /** Returns whether agents shall manage paths. */
    boolean managesPaths();

    /** Returns the time after which the next report of an agent is wanted while there are few agents, milliseconds. */
    long reportMillis();
}
