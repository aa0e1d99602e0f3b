// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.Sets;
import java.util.Set;
import java.util.function.Predicate;
import org.subflow.mptcp.admission.Endings;
import org.subflow.mptcp.admission.UnmanagedTraffic;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Asks for the next packet of idle connections and subflows, at switches that would not send it to the controller. Of a
 * subflow whose end was seen it asks for none. Used by the control loop only.
 */
public final class IdleWatch {
    private static final Set<Type> IRRELEVANT =
            Sets.immutableEnumSet(Type.SHARES_CHANGED, Type.ATTAINABLE_RATE_CHANGED, Type.INSTALLED);

    private final ConnectionStore store;
    private final Endings endings;
    private final UnmanagedTraffic unmanaged;

    public IdleWatch(ConnectionStore store, Endings endings, UnmanagedTraffic unmanaged) {
        this.store = checkNotNull(store, "store");
        this.endings = checkNotNull(endings, "endings");
        this.unmanaged = checkNotNull(unmanaged, "unmanaged");
    }

    /** Follows what happens to a connection. */
    public void follow(ConnectionEvent event) {
        if (IRRELEVANT.contains(event.type())) {
            return;
        }
        Connection connection = event.subject();
        for (Subflow subflow : connection.subflows()) {
            boolean isIdle = connection.state() == ConnectionState.IDLE || subflow.state() == SubflowState.IDLE;
            if (isIdle && event.type() != Type.CLOSED && !endings.hasEnded(subflow.tuple())) {
                unmanaged.awaitPacket(subflow.tuple());
            } else {
                unmanaged.ignore(subflow.tuple());
            }
        }
    }

    /**
     * Asks once more for the packets of all that is idle, as after a restart, or after a pause of a demoted one. So whoever was refused
     * when it woke may try again. To be called every second.
     *
     * @param isPausing whether the packets of a connection are not to wake it now; not null
     */
    public void look(Predicate<ConnectionId> isPausing) {
        for (Connection connection : store.in(ConnectionState.IDLE)) {
            if (!isPausing.test(connection.id())) {
                connection.subflows().forEach(this::await);
            }
        }
        for (Connection connection : store.live()) {
            connection.subflows().stream().filter(subflow -> subflow.state() == SubflowState.IDLE).forEach(this::await);
        }
    }

    private void await(Subflow subflow) {
        // Thousands may be idle.
        if (!unmanaged.isAwaited(subflow.tuple()) && !endings.hasEnded(subflow.tuple())) {
            unmanaged.awaitPacket(subflow.tuple());
        }
    }
}
