// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.Sets;
import java.util.Set;
import java.util.function.Predicate;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.segment.FlagCopies;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Asks for the next packet of idle connections and subflows, at switches that would not send it to the controller. Used by
 * the control loop only.
 */
public final class IdleWatch {
    private static final Set<Type> IRRELEVANT =
            Sets.immutableEnumSet(Type.SHARES_CHANGED, Type.ATTAINABLE_RATE_CHANGED, Type.INSTALLED);

    private final ConnectionStore store;
    private final FlagCopies copies;
    private final WakeRules wakeRules;

    public IdleWatch(ConnectionStore store, FlagCopies copies, WakeRules wakeRules) {
        this.store = checkNotNull(store, "store");
        this.copies = checkNotNull(copies, "copies");
        this.wakeRules = checkNotNull(wakeRules, "wakeRules");
    }

    /** Follows what happens to a connection. */
    public void follow(ConnectionEvent event) {
        if (IRRELEVANT.contains(event.type())) {
            return;
        }
        boolean isIdle = event.subject().state() == ConnectionState.IDLE;
        for (Subflow subflow : event.subject().subflows()) {
            // Of those that have given paths back, the candidates' looks ask for packets.
            boolean waits = event.type() != Type.CLOSED
                    && (isIdle && event.type() != Type.GIVEN_BACK || subflow.state() == SubflowState.IDLE);
            if (waits) {
                watch(subflow);
            } else {
                wakeRules.ignore(subflow.tuple());
            }
        }
    }

    /**
     * Asks once more for the packets of all that is idle, as after a restart. So whoever was refused when it woke may try again.
     * To be called every few seconds.
     *
     * @param isCandidate whether a connection is a candidate once more, whose packets others ask for; not null
     */
    public void look(Predicate<ConnectionId> isCandidate) {
        for (Connection connection : store.in(ConnectionState.IDLE)) {
            if (!isCandidate.test(connection.id())) {
                connection.subflows().forEach(this::watch);
            }
        }
        for (Connection connection : store.live()) {
            connection.subflows().stream().filter(subflow -> subflow.state() == SubflowState.IDLE).forEach(this::watch);
        }
    }

    private void watch(Subflow subflow) {
        if (!wakeRules.isWatched(subflow.tuple()) && copies.on(subflow.ingress().deviceId())) {
            wakeRules.watch(subflow.tuple(), subflow.ingress());
        }
    }
}
