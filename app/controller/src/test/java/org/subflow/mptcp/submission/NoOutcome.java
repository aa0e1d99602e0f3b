// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import org.subflow.mptcp.api.ConnectionId;


/** Where no outcome is to be heard: fails the test that hears one. */
public final class NoOutcome implements ConnectionIntents.Outcome {
    @Override
    public void installed(ConnectionId connection, long revision) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void failed(ConnectionId connection, long revision) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void withdrawn(ConnectionId connection) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void pathsChanged() {
        throw new UnsupportedOperationException();
    }
}
