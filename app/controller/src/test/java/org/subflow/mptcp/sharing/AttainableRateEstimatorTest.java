// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.wiring.Stage;

class AttainableRateEstimatorTest {
    private static final double ROUNDING = 1e3;

    private final Stage stage = new Stage();
    private final List<Connection> told = new ArrayList<>();
    private final AttainableRateEstimator estimator = new AttainableRateEstimator(stage.model, () -> 0, told::add);

    @Test
    void aloneItAttainsTheRateOfAllPathsAlsoWithOneSubflow() {
        Connection connection = stage.open();
        refresh(Long.MAX_VALUE / 2);

        assertAttainable(30e6, 30e6, connection.id());
        assertEquals(10e6, connection.expected().up(), ROUNDING, "with the path that it has");
    }

    @Test
    void withAnotherConnectionItAttainsTheResidualBandwidth() {
        stage.open();
        stage.join(1);
        stage.join(2);
        ConnectionId other = stage.openAnother("other", 2000).id();
        refresh(Long.MAX_VALUE / 2);

        // The other uses one path at full rate, which is less than a half of the three. With all three paths its fair
        // share would be 15, but only 10 is residual.
        assertAttainable(20e6, 20e6, Stage.ID);
        assertAttainable(10e6, 10e6, other);
    }

    @Test
    void whoeverListensIsToldOfWhatChangesNoticeably() {
        Connection first = stage.open();
        refresh(Long.MAX_VALUE / 2);
        refresh(Long.MAX_VALUE / 2);
        assertEquals(List.of(first.id()), ids(told), "once, not at every look");

        Connection other = stage.openAnother("other", 2000);
        refresh(Long.MAX_VALUE / 2);
        refresh(Long.MAX_VALUE / 2);
        assertEquals(List.of(first.id(), other.id(), first.id()), ids(told));

        estimator.forget(first.id());
        refresh(Long.MAX_VALUE / 2);
        assertEquals(4, told.size(), "what wakes is news");
    }

    private static List<ConnectionId> ids(List<Connection> connections) {
        return connections.stream().map(Connection::id).collect(Collectors.toList());
    }

    @Test
    void whatIsNotEstimatedYetIsZero() {
        assertAttainable(0, 0, Stage.ID);
    }

    @Test
    void littleTimeMeansOneConnectionAtATime() {
        stage.open();
        ConnectionId other = stage.openAnother("other", 2000).id();
        refresh(0);
        assertEquals(0, estimator.attainableRate(other).available().up());
        refresh(0);
        assertAttainable(estimator.attainableRate(other).available().up(), estimator.attainableRate(other).fair().up(), other);
        estimator.forget(other);
        assertAttainable(0, 0, other);
    }

    @Test
    void newcomersHaveTheirTurnFirst() {
        stage.open();
        stage.openAnother("other", 2000);
        refresh(Long.MAX_VALUE / 2);
        ConnectionId newcomer = stage.openAnother("newcomer", 3000).id();
        refresh(0);
        assertTrue(estimator.attainableRate(newcomer).available().up() > 0);
    }

    @Test
    void whatIsOfThePresentNetworkIsNotComputedAgain() {
        stage.open();
        stage.openAnother("other", 2000);
        long[] asked = {0};
        AttainableRateEstimator counting = new AttainableRateEstimator(stage.model, () -> asked[0]++, told::add);
        counting.refresh(stage.store.all(), Long.MAX_VALUE / 2);
        assertEquals(3, asked[0], "the clock is read at the begin and after each ζ");

        counting.refresh(stage.store.all(), Long.MAX_VALUE / 2);
        assertEquals(3 + 1, asked[0], "at the begin alone");

        stage.openAnother("newcomer", 3000);
        counting.refresh(stage.store.all(), Long.MAX_VALUE / 2);
        assertEquals(4 + 4, asked[0], "after each of three, too");
    }

    @Test
    void whoIsGoneIsForgotten() {
        Connection gone = stage.open();
        stage.openAnother("other", 2000);
        refresh(Long.MAX_VALUE / 2);
        stage.provisioner.close(List.of(gone), Cause.ENDED);
        refresh(0);
        assertAttainable(0, 0, gone.id());
    }

    private void refresh(long budgetNanos) {
        estimator.refresh(stage.store.all(), budgetNanos);
    }

    private void assertAttainable(double available, double fair, ConnectionId id) {
        AttainableRate rate = estimator.attainableRate(id);
        assertEquals(available, rate.available().up(), ROUNDING, "available");
        assertEquals(fair, rate.fair().up(), ROUNDING, "fair");
    }
}
