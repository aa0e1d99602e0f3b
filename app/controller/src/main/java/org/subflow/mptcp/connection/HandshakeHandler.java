// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SettingsService;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.detect.CapableEstablished;
import org.subflow.mptcp.detect.ConnectionKeys;
import org.subflow.mptcp.detect.Ignored;
import org.subflow.mptcp.detect.JoinAttempt;
import org.subflow.mptcp.detect.JoinEstablished;
import org.subflow.mptcp.detect.PacketInterceptor;
import org.subflow.mptcp.detect.PlainEstablished;
import org.subflow.mptcp.detect.TokenTable;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.plain.PlainTcpForwarder;
import org.subflow.mptcp.provisioning.SetupTimes;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Turns detected handshakes into tasks for the control loop, or into plain forwarding.
 *
 * <p>Called on the tracking thread. It registers tokens at once, so that an immediate MP_JOIN finds its connection. Every
 * other change of a connection is a task of the loop.
 */
final class HandshakeHandler implements PacketInterceptor.Handler {
    private final ControlLoop loop;
    private final ConnectionStore store;
    private final KeyStore keyStore;
    private final Admission admission;
    private final TokenTable tokens;
    private final PlainTcpForwarder plain;
    private final NetworkView network;
    private final Attachments attachments;
    private final SettingsService settings;
    private final SetupTimes setupTimes;
    private final Ignored ignored;
    private final LongSupplier clockMillis;

    HandshakeHandler(ControlLoop loop, ConnectionStore store, KeyStore keyStore, Admission admission, TokenTable tokens,
              PlainTcpForwarder plain, NetworkView network, Attachments attachments, SettingsService settings,
              SetupTimes setupTimes, Ignored ignored, LongSupplier clockMillis) {
        this.loop = checkNotNull(loop, "loop");
        this.store = checkNotNull(store, "store");
        this.keyStore = checkNotNull(keyStore, "keyStore");
        this.admission = checkNotNull(admission, "admission");
        this.tokens = checkNotNull(tokens, "tokens");
        this.plain = checkNotNull(plain, "plain");
        this.network = checkNotNull(network, "network");
        this.attachments = checkNotNull(attachments, "attachments");
        this.settings = checkNotNull(settings, "settings");
        this.ignored = checkNotNull(ignored, "ignored");
        this.setupTimes = checkNotNull(setupTimes, "setupTimes");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    @Override
    public void plainEstablished(PlainEstablished event) {
        forwardPlainly(event.fiveTuple());
    }

    @Override
    public void capableEstablished(CapableEstablished event) {
        FiveTuple tuple = event.fiveTuple();
        ConnectionKeys keys = event.keys();
        tokens.register(tuple, keys);
        setupTimes.established(tuple, System.nanoTime());
        onLoop(tuple, () -> {
            ConnectionId id = freeId(keys, tuple);
            boolean managed = admission.opened(id, tuple, event.version().number(),
                                               keys.initiatorToken().orElse(null), keys.listenerToken().orElse(null),
                                               clockMillis.getAsLong());
            if (managed) {
                keyStore.put(id, keys);
                // Admission has closed the previous connection with this five-tuple, and removed its tokens.
                tokens.register(tuple, keys);
            } else {
                tokens.remove(tuple);
                reportObstacles(tuple);
                forwardPlainly(tuple);
            }
        });
    }

    @Override
    public void joinEstablished(JoinEstablished event) {
        FiveTuple tuple = event.fiveTuple();
        setupTimes.established(tuple, System.nanoTime());
        onLoop(tuple, () -> {
            boolean managed = store.owner(event.connection())
                    .filter(id -> admission.joined(id, tuple, event.byInitiator()))
                    .isPresent();
            if (!managed) {
                reportObstacles(tuple);
                forwardPlainly(tuple);
            }
        });
    }

    @Override
    public void joinAttempted(JoinAttempt attempt, Runnable forward) {
        if (!attempt.owner().isPresent() || isNeverBlocked(attempt.owner().get().connection())) {
            forward.run();
            return;
        }
        boolean accepted = loop.execute(() -> {
            Optional<ConnectionId> id = store.owner(attempt.owner().get().connection());
            if (!id.isPresent() || admission.mayJoin(id.get(), attempt.fiveTuple(), attempt.owner().get().listener())) {
                forward.run();
            }
        });
        if (!accepted) {
            forward.run();
        }
    }

    /** Returns whether the terms of a connection never block a subflow; false if its admission still waits. */
    private boolean isNeverBlocked(FiveTuple first) {
        return store.owner(first).flatMap(store::get)
                .filter(connection -> connection.terms().joinPolicy() != JoinPolicy.BLOCK)
                .isPresent();
    }

    @Override
    public void midstream(FiveTuple tuple, boolean confirmed) {
        Optional<Connection> owner = store.owner(tuple).flatMap(store::get);
        if (owner.isPresent()) {
            boolean idle = owner.get().state() == ConnectionState.IDLE || owner.get().subflow(tuple)
                    .filter(subflow -> subflow.state() == SubflowState.IDLE).isPresent();
            if (idle) {
                onLoop(tuple, () -> {
                    if (!admission.woken(owner.get().id(), tuple)) {
                        forwardPlainly(tuple);
                    }
                });
            }
        } else if (confirmed) {
            forwardPlainly(tuple);
        }
    }

    private void reportObstacles(FiveTuple tuple) {
        for (IpAddress end : List.of(tuple.source(), tuple.destination())) {
            attachments.obstacle(end).ifPresent(obstacle -> ignored.connection(end, obstacle));
        }
    }

    private void onLoop(FiveTuple tuple, Runnable task) {
        if (!loop.execute(task)) {
            forwardPlainly(tuple);
        }
    }

    private void forwardPlainly(FiveTuple tuple) {
        Optional<ConnectPoint> source = attachments.anyPort(tuple.source());
        Optional<ConnectPoint> destination = attachments.anyPort(tuple.destination());
        if (source.isPresent() && destination.isPresent()) {
            plain.forward(network.snapshot(), tuple, source.get(), destination.get(),
                          settings.settings().plainIdleSeconds());
        }
    }

    /**
     * Returns an identifier that is free: the server's token, with a number appended if another connection has the same
     * token.
     */
    private ConnectionId freeId(ConnectionKeys keys, FiveTuple tuple) {
        String base = keys.listenerToken().map(Token::toString)
                .orElseGet(() -> String.format("t%08x", tuple.hashCode()));
        ConnectionId id = ConnectionId.of(base);
        for (int number = 2; store.get(id).filter(other -> !other.first().tuple().equals(tuple)).isPresent(); number++) {
            id = ConnectionId.of(base + "-" + number);
        }
        return id;
    }
}
