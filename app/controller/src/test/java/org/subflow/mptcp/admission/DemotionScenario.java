// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.onosproject.net.DeviceId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.handshake.Handshakes;
import org.subflow.mptcp.wiring.Stage;

/** Connections that have got their paths for their age alone, and what counts of them then. */
abstract class DemotionScenario extends HandshakeScenario {
    static final int SECONDS = (int) Demotions.WINDOW_MILLIS / 1000 + 2;
    static final int ENOUGH = 10_000;
    static final int OLD_MILLIS = 1000;

    long counted;

    @BeforeEach
    void earnByAgeOrBytes() {
        stage.millis = 1_700_000_000_000L;
        earn(OLD_MILLIS, ENOUGH);
    }

    /** Opens a connection that is managed because it is old enough. */
    Connection old(FiveTuple... joins) {
        return open(FIRST, joins);
    }

    Connection open(FiveTuple first, FiveTuple... joins) {
        handler.capableEstablished(Handshakes.capable(first));
        for (FiveTuple join : joins) {
            handler.joinEstablished(Handshakes.join(join, first));
        }
        handler.counted(data(first, 1), later(OLD_MILLIS + 1));
        Connection connection = only();
        handler.age(nanos);
        return connection;
    }

    /** Lets seconds pass, in each of which every rule at the edge counts so many bytes. */
    void pass(int seconds, long bytes) {
        loop.ask(() -> {
            stage.installed();
            for (int second = 0; second < seconds; second++) {
                secondPasses(bytes);
            }
            return true;
        }, MILLIS);
    }

    void secondPasses(long bytes) {
        counters(bytes);
        stage.pass(1);
        demotions.tick(stage.millis);
    }

    void counters(long bytes) {
        counted += bytes;
        stage.rules.clear();
        for (Connection connection : stage.store.all()) {
            for (Subflow subflow : connection.subflows()) {
                stage.rules.tell(subflow.tuple(), subflow.ingress(), stage.millis + 900, counted, counted);
                stage.rules.tell(subflow.tuple().reversed(), subflow.egress(), stage.millis + 900, counted, 0);
            }
        }
    }

    void tick(long millis) {
        loop.ask(() -> {
            stage.millis += millis;
            stage.tick(stage.millis);
            demotions.tick(stage.millis);
            return true;
        }, MILLIS);
    }

    /** Its packets show that it has sent much. */
    void promoteAgain(FiveTuple tuple) {
        handler.midstream(data(tuple, 1), false);
        handler.midstream(data(tuple, 1 + ENOUGH), false);
        done();
    }

    /** Returns how many subflows have paths, each through another switch. */
    static int disjoint(Connection connection) {
        Set<DeviceId> middles = new HashSet<>();
        connection.subflows().stream().filter(Subflow::isRouted).forEach(
                subflow -> assertTrue(middles.add(Stage.middle(subflow)), connection::toString));
        return middles.size();
    }
}
