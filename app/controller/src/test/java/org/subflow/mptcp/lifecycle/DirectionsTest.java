// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/**
 * Links whose directions differ, as those of ADSL: the path over switch 2 has 10 Mbit/s up and 2 down, that over switch 3 has 4 up
 * and 10 down. Receivers acknowledge what they get, 300 kbit/s for 10 Mbit/s.
 */
class DirectionsTest extends SharesScenario {
    private static final double ACKNOWLEDGEMENTS = 0.03;
    private static final int UP = 2;
    private static final int DOWN = 3;

    private long samples;

    @BeforeEach
    void narrow() {
        stage.settings = Settings.DEFAULTS.with(Settings.SUBFLOWS, 1).with(Settings.IDLE_SECONDS, 86_400);
        capacities(UP, 10e6, 2e6);
        capacities(DOWN, 4e6, 10e6);
        stage.cut(4, 5);
    }

    @Test
    void theAcknowledgementsOfAnUploadAreNoDemand() {
        Connection connection = stage.open();
        assertTrue(sample(connection, 1, Rates.of(9.9e6, 0.3e6)), "the first sample shows it");
        assertSends(true, false);
        known(connection, Rates.of(9.9e6, 0.3e6));
        assertSends(true, false);
        assertEquals(1.25 * 0.3e6, demand().down(), 1, "they have room");
    }

    @ParameterizedTest
    @CsvSource({"10e6, 0.3e6, true, false", "0.3e6, 10e6, false, true", "10e6, 1e6, true, true", "10e6, 0.74e6, true, false",
            "10e6, 0.77e6, true, true", "0.2e6, 0.2e6, true, true", "2e9, 120e6, true, false", "0.5e6, 0, true, false"})
    void aDirectionSendsIfItHasMoreThanAcknowledgementsTake(double up, double down, boolean sendsUp, boolean sendsDown) {
        known(stage.open(), Rates.of(up, down));
        assertSends(sendsUp, sendsDown);
    }

    @Test
    void aSampleThatShowsOneDirectionOnlyChangesNothing() {
        Connection connection = stage.open();
        known(connection, Rates.of(9.9e6, 0.3e6));
        // The switch at the client has not added up its counter.
        sample(connection, 4, Rates.of(0, 0.3e6));
        assertSends(true, false);
    }

    @Test
    void whoTurnsFromSendingToReceivingCountsBothWaysAndThenTheOther() {
        Connection connection = stage.open();
        known(connection, Rates.of(9.9e6, 0.3e6));
        sample(connection, 4, Rates.of(0.3e6, 9.9e6));
        assertSends(true, true);
        sample(connection, 5, Rates.of(0.3e6, 9.9e6));
        sample(connection, 6, Rates.of(0.3e6, 9.9e6));
        assertSends(false, true);
    }

    @Test
    void aHostsWordCountsMoreThanTheCounters() {
        Connection connection = stage.open();
        known(connection, Rates.of(9.9e6, 0.3e6));
        assertTrue(stage.demands.report(connection.id(), OptionalDouble.empty(), OptionalDouble.of(Double.POSITIVE_INFINITY)));
        assertSends(true, true);
        assertTrue(stage.demands.report(connection.id(), OptionalDouble.empty(), OptionalDouble.of(Demand.FLOOR)));
        assertSends(true, false);
        assertEquals(1.25 * 0.3e6, demand().down(), 1, "it acknowledges all the same");
    }

    @Test
    void aSilentConnectionMaySendInBothDirections() {
        Connection connection = stage.open();
        known(connection, Rates.of(9.9e6, 0.3e6));
        stage.demands.rest(connection.id());
        assertSends(true, true);
    }

    @Test
    void anUploadOnThePathOfTenIsNotMovedToThatOfFour() {
        stage.cut(DOWN, 5);
        stage.open();
        stage.installed();
        stage.mend(DOWN, 5);
        stage.changes.networkChanged(0);
        for (int second = 0; second < 60; second++) {
            transfer(true);
            assertEquals(UP, middle(), "after " + second + " s");
        }
        assertEquals(10e6, stage.connection().expected().up(), ROUNDING);
    }

    @ParameterizedTest
    @CsvSource({"true, 2", "false, 3"})
    void whatBeganOnEitherPathGetsTheWideOneOnceItsDirectionIsKnown(boolean upwards, int wide) {
        stage.open();
        stage.installed();
        assertEquals(DOWN, middle(), "as long as nothing is known, the narrower direction counts");
        for (int second = 0; second < 20; second++) {
            transfer(upwards);
        }
        assertEquals(wide, middle());
    }

    @Test
    void whoTurnsFromSendingToReceivingGetsTheOtherPath() {
        stage.open();
        stage.installed();
        for (int second = 0; second < 20; second++) {
            transfer(true);
        }
        assertEquals(UP, middle());
        for (int second = 0; second < 20; second++) {
            transfer(false);
        }
        assertEquals(DOWN, middle());
    }

    @Test
    void aLostPathOfAnUploadIsReplacedByTheWidestUpwards() {
        stage.mend(4, 5);
        capacities(4, 7e6, 1e6);
        stage.open();
        stage.installed();
        for (int second = 0; second < 20; second++) {
            transfer(true);
        }
        assertEquals(UP, middle());
        stage.cut(UP, 5);
        stage.changes.networkChanged(stage.millis);
        assertEquals(4, middle());
    }

    private void capacities(int middle, double up, double down) {
        stage.capacities.put(Nets.link(1, middle), up);
        stage.capacities.put(Nets.link(middle, 5), up);
        stage.capacities.put(Nets.link(middle, 1), down);
        stage.capacities.put(Nets.link(5, middle), down);
    }

    /** A second passes in which one host sends as much as its path takes. */
    private void transfer(boolean upwards) {
        double room = (middle() == UP) == upwards ? 9.9e6 : middle() == UP ? 1.95e6 : 3.9e6;
        double rate = middle() == 4 ? 6.9e6 : room;
        Rates along = Rates.of(rate, ACKNOWLEDGEMENTS * rate);
        if (sample(stage.connection(), ++samples, upwards ? along : along.swapped())) {
            stage.share();
        }
        stage.pass(1);
    }

    private int middle() {
        return Stage.number(Stage.middle(stage.connection().first()));
    }

    private Demand demand() {
        return stage.demands.of(Stage.ID);
    }

    private void assertSends(boolean up, boolean down) {
        assertEquals(up, demand().sends(true), () -> demand() + ", upwards");
        assertEquals(down, demand().sends(false), () -> demand() + ", downwards");
        assertFalse(demand().isSilent() && up != down);
    }
}
