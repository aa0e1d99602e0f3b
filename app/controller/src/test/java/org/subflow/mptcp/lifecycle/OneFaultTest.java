// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.wiring.Stage;

/** One connection of which every look throws an exception, beside one that is as it should be. */
class OneFaultTest {
    private static final ConnectionId ODD = ConnectionId.of("0dd");

    private final Stage stage = new Stage();

    @Test
    void theOthersAreReroutedAndGoIdle() {
        Subflow odd = stage.open(ODD.value(), Stage.SERVER, 2000, "10.0.0.11").first();
        Subflow good = stage.open("900d", Stage.SERVER, 3000, "10.0.0.1").first();
        stage.broken.add(IpAddress.valueOf("10.0.0.11"));
        stage.cut(1, Stage.number(Stage.middle(odd)));
        stage.cut(1, Stage.number(Stage.middle(good)));
        stage.changes.networkChanged(stage.millis);

        Subflow now = good().first();
        assertTrue(now.isRouted() && !Stage.middle(now).equals(Stage.middle(good)), "it has another path");
        stage.pass(100);
        assertEquals(ConnectionState.IDLE, good().state());
    }

    @Test
    void theOthersAreSharedAndRerouted() {
        Subflow good = stage.open("900d", Stage.SERVER, 3000, "10.0.0.1").first();
        stage.store.put(odd(good));
        stage.share();
        assertEquals(10e6, good().expected().up(), 1e3);

        stage.cut(1, Stage.number(Stage.middle(good)));
        stage.changes.networkChanged(stage.millis);
        Subflow now = good().first();
        assertTrue(now.isRouted() && !Stage.middle(now).equals(Stage.middle(good)), "it has another path");
        assertEquals(10e6, good().expected().up(), 1e3);

        Connection next = stage.open("next", Stage.SERVER, 4000, "10.0.0.12");
        assertTrue(next.first().isRouted());
        stage.pass(100);
        assertEquals(ConnectionState.IDLE, good().state());
        assertFalse(stage.store.in(ConnectionState.ACTIVE).contains(good()));
    }

    private Connection good() {
        return stage.store.get(ConnectionId.of("900d")).get();
    }

    /** A record of another release, of a strategy that there is not. */
    private static Connection odd(Subflow like) {
        Subflow first = Subflow.unrouted(Stage.tuple("10.0.0.13", 2000), true, false, like.ingress(), like.egress());
        Terms terms = Terms.of("", "of-another-release", 3, JoinPolicy.SHARE, 1, Double.POSITIVE_INFINITY);
        return Connection.opened(ODD, 1, null, null, terms, 0, first).withState(ConnectionState.ACTIVE);
    }
}
