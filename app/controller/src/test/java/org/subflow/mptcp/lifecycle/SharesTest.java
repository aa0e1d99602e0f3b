// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Demands, and the expected throughputs that come of them. */
class SharesTest extends SharesScenario {
    @Test
    void theDemandOfAConnectionIsUnknownForTwoSamples() {
        Connection connection = stage.open();
        assertFalse(sample(connection, 1, Rates.of(1e6, 1e6)));
        assertFalse(sample(connection, 2, Rates.of(1e6, 1e6)));
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());

        assertTrue(sample(connection, 3, Rates.of(1e6, 1e6)));
        assertEquals(1.25e6, stage.demands.of(connection.id()).up(), 1);
    }

    @Test
    void aConnectionThatWasSilentForASecondDemandsLittle() {
        Connection connection = stage.open();
        counted = false;
        for (int i = 1; i <= 5; i++) {
            assertFalse(sample(connection, i, Rates.ZERO), "its packets may go by way of the controller");
        }
        counted = true;
        assertTrue(sample(connection, 6, Rates.of(20e3, 20e3)));
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).up());
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).down());

        stage.share();
        assertEquals(Demand.FLOOR, stage.connection().expected().up(), ROUNDING);
        assertTrue(sample(stage.connection(), 7, Rates.of(0.3e6, 0)), "and has room as soon as it sends");
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).down());
    }

    @Test
    void tenSegmentsInASecondAreTheBeginningOfMore() {
        Connection connection = stage.open();
        assertTrue(sample(connection, 1, Rates.of(10 * 1460 * 8, 0)), "the other direction is silent");
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
        sample(connection, 2, Rates.ZERO);
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
    }

    @Test
    void aConnectionThatWakesDemandsLittleUntilItSends() {
        Connection connection = stage.open();
        known(connection, Rates.of(9.8e6, 9.8e6));
        stage.demands.rest(connection.id());
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).up());
        assertFalse(sample(connection, 3, Rates.of(9.8e6, 9.8e6)), "that is from before");

        stage.share();
        assertTrue(sample(stage.connection(), 4, Rates.of(9.8e6, 0)));
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).down());
    }

    @Test
    void withoutASampleNothingIsLearned() {
        Connection connection = stage.open();
        assertFalse(sample(connection, 0, Rates.ZERO));
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
    }

    @Test
    void aSampleThatIsNotNewTeachesNothing() {
        Connection connection = stage.open();
        for (int i = 0; i < 5; i++) {
            assertFalse(sample(connection, 1, Rates.of(1e6, 1e6)));
        }
    }

    @Test
    void aConnectionThatFillsItsShareHasNoLimit() {
        Connection connection = stage.open();
        known(connection, Rates.of(9.8e6, 0.3e6));

        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());
        assertEquals(1.25 * 0.3e6, stage.demands.of(connection.id()).down(), 1);
    }

    @Test
    void aSteadyConnectionBelowItsShareKeepsOneLimit() {
        Connection connection = stage.open();
        known(connection, Rates.of(2e6, 0));
        stage.share();
        Connection limited = stage.connection();
        assertEquals(2.5e6, limited.expected().up(), ROUNDING);

        for (int i = 4; i < 20; i++) {
            assertFalse(sample(limited, i, Rates.of(2e6, 0)));
        }
    }

    @Test
    void aSampleThatIsLateOnceChangesNothing() {
        Connection connection = stage.open();
        known(connection, Rates.of(9.9e6, 0.3e6));
        stage.share();
        Rates before = stage.connection().expected();

        // The switch had added up its counters half a second before: too little now, too much the next time.
        for (double part : new double[] {0.75, 1.25}) {
            sample(stage.connection(), part < 1 ? 4 : 5, Rates.of(part * 9.9e6, part * 0.3e6));
            stage.share();
            assertEquals(before.up(), stage.connection().expected().up(), ROUNDING);
            assertEquals(before.down(), stage.connection().expected().down(), 0.3 * before.down());
        }
    }

    @Test
    void aConnectionThatWakesHasRoomAtOnceAndOneThatStopsGivesItBackSoon() {
        Connection connection = stage.open();
        known(connection, Rates.ZERO);
        stage.share();
        assertTrue(sample(stage.connection(), 4, Rates.of(1e6, 0)));
        assertEquals(Double.POSITIVE_INFINITY, stage.demands.of(connection.id()).up());

        stage.share();
        for (int i = 5; i <= 7; i++) {
            sample(stage.connection(), i, Rates.ZERO);
        }
        assertEquals(Demand.FLOOR, stage.demands.of(connection.id()).up());
    }

    /** It could send no more while the link was away. */
    @Test
    void aConnectionThatGetsALinkBackGetsAllOfItAtOnce() {
        stage.open();
        stage.join(1);
        stage.join(2);
        stage.installed();
        stage.cut(3, 5);
        stage.changes.networkChanged(0);
        for (int i = 1; i <= 5; i++) {
            sample(stage.connection(), i, Rates.of(20.4e6, 1e6));
            stage.share();
        }
        assertEquals(20e6, stage.connection().expected().up(), ROUNDING);

        stage.mend(3, 5);
        stage.changes.networkChanged(0);
        stage.pass(10);
        assertEquals(30e6, stage.connection().expected().up(), ROUNDING);
        double[] growing = {20.4e6, 21e6, 24e6, 29e6, 29.5e6, 29.5e6};
        for (int i = 0; i < growing.length; i++) {
            sample(stage.connection(), 6 + i, Rates.of(growing[i], 1e6));
            stage.share();
            assertEquals(30e6, stage.connection().expected().up(), ROUNDING);
        }
        for (int i = 12; i < 15; i++) {
            sample(stage.connection(), i, Rates.of(8e6, 1e6));
        }
        assertEquals(10e6, stage.demands.of(Stage.ID).up(), 1, "it goes on being limited by what it sends");
    }

    @Test
    void whatAMoveHeldIsForgottenWhenTheConnectionIsIdle() {
        stage.open();
        for (int i = 1; i <= 50; i++) {
            sample(stage.connection(), i, Rates.of(9.9e6, 1e6));
        }
        stage.join(1);
        sample(stage.connection(), 51, Rates.of(9.9e6, 1e6));
        stage.demands.rest(Stage.ID);
        stage.share();
        sample(stage.connection(), 52, Rates.of(2e6, 0));
        stage.share();
        for (int i = 53; i < 57; i++) {
            sample(stage.connection(), i, Rates.of(2e6, 0));
        }
        assertEquals(2.5e6, stage.demands.of(Stage.ID).up(), 1);
    }

    @Test
    void demandBeyondFullLinksStillCounts() {
        stage.cut(3, 5);
        stage.cut(4, 5);
        stage.policies = Policies.of(List.of(Policy.named("heavy").weight(3).build()));
        Connection heavy = stage.open();
        stage.policies = Policies.NONE;
        Connection light = stage.openAnother("light", 2000);
        full.add(Nets.link(1, 2));

        // The hosts give each of the two a half; by weight their fair shares are 7.5 and 2.5.
        for (int i = 1; i <= 6; i++) {
            sample(stage.connection(), i, Rates.of(5e6, 0));
            sample(stage.store.get(light.id()).get(), i, Rates.of(5e6, 0));
            stage.share();
        }
        assertEquals(7.5e6, stage.connection().expected().up(), ROUNDING);

        full.clear();
        for (int i = 7; i <= 9; i++) {
            sample(stage.connection(), i, Rates.of(5e6, 0));
        }
        assertEquals(6.25e6, stage.demands.of(heavy.id()).up(), 1, "it demands no more without a full link on its path");
    }

    @Test
    void anIdleSiblingOnTheSameLinksHoldsNextToNothing() {
        stage.cut(3, 5);
        stage.cut(4, 5);
        Connection idle = stage.open();
        Connection busy = stage.openAnother("busy", 2000);
        assertEquals(5e6, stage.store.get(busy.id()).get().expected().up(), ROUNDING);

        known(idle, Rates.ZERO);
        stage.share();

        assertEquals(Demand.FLOOR, stage.connection().expected().up(), ROUNDING);
        assertEquals(10e6 - Demand.FLOOR, stage.store.get(busy.id()).get().expected().up(), ROUNDING);
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
    }
}
