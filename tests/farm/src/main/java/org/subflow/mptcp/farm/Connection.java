// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.util.ArrayList;
import java.util.List;

/** An MPTCP connection between two hosts of a farm. */
final class Connection {
    final Fabric.Host client;
    final Fabric.Host server;
    final long clientKey;
    final long serverKey;
    final List<Subflow> subflows = new ArrayList<>();

    Connection(Fabric.Host client, Fabric.Host server, long clientKey, long serverKey) {
        this.client = client;
        this.server = server;
        this.clientKey = clientKey;
        this.serverKey = serverKey;
    }

    /** One subflow, and what of it has come so far. */
    static final class Subflow {
        final Connection connection;
        /** As the client sends. */
        final Tuple tuple;
        final int clientNumber;
        final int serverNumber;
        final long openedNanos;
        private long clientsRule;
        private long serversRule;

        Subflow(Connection connection, Tuple tuple, int clientNumber, int serverNumber, long openedNanos) {
            this.connection = connection;
            this.tuple = tuple;
            this.clientNumber = clientNumber;
            this.serverNumber = serverNumber;
            this.openedNanos = openedNanos;
        }

        boolean isFirst() {
            return connection.subflows.get(0) == this;
        }

        /** {@return whether rules have come for both directions} */
        boolean isRuled() {
            return clientsRule != 0 && serversRule != 0;
        }
    }

    /** One direction of a subflow. */
    record Flow(Subflow subflow, boolean isForward) {
        Fabric.Host sender() {
            return isForward ? subflow.connection.client : subflow.connection.server;
        }

        Fabric.Host receiver() {
            return isForward ? subflow.connection.server : subflow.connection.client;
        }

        Tuple tuple() {
            return isForward ? subflow.tuple : subflow.tuple.reversed();
        }

        /** Notes that the switch where its packets come in has a rule for it. Returns whether both directions have had one just now. */
        boolean ruled(long now) {
            boolean before = subflow.isRuled();
            if (isForward) {
                subflow.clientsRule = now;
            } else {
                subflow.serversRule = now;
            }
            return !before && subflow.isRuled();
        }
    }
}
