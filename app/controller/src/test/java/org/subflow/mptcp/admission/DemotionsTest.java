// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Handshakes;
import org.subflow.mptcp.topology.Nets;

/** Connections that have got their paths for their age alone, and then send little. */
class DemotionsTest extends DemotionScenario {
    @Test
    void oneThatSendsLittleGivesItsPathsBackAndStaysKnown() {
        Connection connection = old();
        assertTrue(stage.ledger.entries() > 0);
        pass(SECONDS, 10);

        assertEquals(ConnectionState.IDLE, only().state());
        assertEquals(1, stage.intents.withdrawn.size());
        assertEquals(0, stage.ledger.entries());
        assertEquals(1, stage.told(Type.DEMOTED));
        assertEquals(0, stage.told(Type.CLOSED));
        assertEquals(1, demotions.total());
        assertEquals(1, tokens.size());
        assertEquals(Optional.of(Handshakes.KEYS), keys.get(connection.id()));
    }

    @Test
    void wherePacketsWouldComeToTheControllerPlainRulesAreThereBeforeTheOthersGo() {
        old();
        plain.clear();
        nanos = later(1000 * SECONDS);
        pass(SECONDS - 2, 10);
        assertTrue(plain.isEmpty(), "it has rules still");
        pass(2, 10);
        assertEquals(1, plain.size());
    }

    @Test
    void oneThatSendsEnoughInTheTimeKeepsThem() {
        old();
        pass(SECONDS - 4, ENOUGH / (SECONDS - 5));
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
        assertEquals(0, demotions.total());
    }

    @Test
    void oneThatHasEarnedThemByItsTrafficKeepsThem() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.counted(data(FIRST, ENOUGH), nanos);
        only();
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
    }

    @Test
    void oneThatIsManagedAtOnceKeepsThem() {
        earn(0, ENOUGH);
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
    }

    @Test
    void oneThatNobodyElseForwardsKeepsThem() {
        old();
        handler.unclaimed(FIRST.reversed());
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
    }

    @Test
    void anIpv6ConnectionKeepsThem() {
        stage.attach("00:00:00:00:00:61", Nets.edge(1), "2001:db8::1");
        stage.attach("00:00:00:00:00:62", Nets.edge(5), "2001:db8::2");
        open(FiveTuple.of(IpAddress.valueOf("2001:db8::1"), 1000, IpAddress.valueOf("2001:db8::2"), 5201));
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
    }

    @Test
    void withoutAReadingOfItsCountersNothingIsTaken() {
        old();
        loop.ask(() -> {
            stage.installed();
            for (int second = 0; second < 14; second++) {
                stage.pass(1);
                demotions.tick(stage.millis);
            }
            return true;
        }, MILLIS);
        assertEquals(ConnectionState.ACTIVE, only().state());
    }
}
