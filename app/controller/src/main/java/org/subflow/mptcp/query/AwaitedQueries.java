// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.OptionalLong;
import org.subflow.mptcp.admission.AwaitedConnections;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.loop.ControlLoop;

/** Takes what operators say of awaited connections to the control loop, and waits for its answer. */
public final class AwaitedQueries implements AwaitedService {
    private static final long ANSWER_MILLIS = 4000;

    private final ControlLoop loop;
    private final AwaitedConnections awaited;

    public AwaitedQueries(ControlLoop loop, AwaitedConnections awaited) {
        this.loop = checkNotNull(loop, "loop");
        this.awaited = checkNotNull(awaited, "awaited");
    }

    @Override
    public Connection add(List<FiveTuple> subflows, int seconds) {
        List<FiveTuple> tuples = List.copyOf(subflows);
        return loop.ask(() -> awaited.add(tuples, seconds), ANSWER_MILLIS);
    }

    @Override
    public boolean remove(ConnectionId id) {
        return loop.ask(() -> awaited.remove(id), ANSWER_MILLIS);
    }

    @Override
    public OptionalLong awaitedUntil(ConnectionId id) {
        return awaited.until(id);
    }
}
