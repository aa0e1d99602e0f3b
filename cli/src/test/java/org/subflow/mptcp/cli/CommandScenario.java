// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.onosproject.net.DeviceId;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.FailureService;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.history.ConnectionHistory;
import org.subflow.mptcp.history.Histories;
import org.subflow.mptcp.rest.DiamondView;
import org.subflow.mptcp.rest.KnownAwaited;
import org.subflow.mptcp.rest.KnownFailures;
import org.subflow.mptcp.topology.NetworkView;

/** A shell, and a controller that knows three connections. */
abstract class CommandScenario {
    final ThreeConnections mptcp = new ThreeConnections();
    final KnownAwaited awaited = new KnownAwaited();
    final KnownFailures failures = new KnownFailures();
    final ConnectionHistory history = Histories.empty(() -> 1_700_000_000_000L);
    Shell shell;

    @BeforeEach
    void open() {
        shell = new Shell();
        FrameworkUtil.offer(MptcpService.class, mptcp);
        FrameworkUtil.offer(HistoryService.class, history);
        FrameworkUtil.offer(FailureService.class, failures);
        FrameworkUtil.offer(AwaitedService.class, awaited);
        FrameworkUtil.offer(NetworkView.class, new DiamondView());
        FrameworkUtil.offer(NameService.class, element -> Optional.of(element)
                .filter(DeviceId.deviceId("of:2")::equals).map(named -> "Berlin"));
    }

    /** Lets a connection end that had the first subflow of the active one. */
    void end(String id) {
        Connection over = Connection.opened(ConnectionId.of(id), 1, null, null, Settings.DEFAULTS.terms(), 0,
                                            mptcp.connections().get(0).first());
        Histories.tell(history, new ConnectionEvent(ConnectionEvent.Type.CLOSED, over, ConnectionEvent.Cause.ENDED));
    }

    @AfterEach
    void close() {
        shell.close();
    }
}
