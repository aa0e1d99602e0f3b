// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.wiring.Stage;

class NetworkBoundEstimatorTest {
    private static final double ROUNDING = 1e-4;
    private static final long STILL = 5000;
    private static final long PERIOD = 60_000;

    private final Stage stage = new Stage();
    private long millis = 1_000_000;
    private final NetworkBoundEstimator estimator = new NetworkBoundEstimator(stage.model, () -> millis);

    @Test
    void oneSubflowHasAThirdOfWhatThreePathsCarry() {
        stage.open();
        refreshAfter(0);
        refreshAfter(STILL);

        NetworkBound bound = estimator.bound().orElseThrow();
        assertEquals(1.0 / 3, bound.quality().sumFraction(), ROUNDING);
        assertEquals(1.0 / 3, bound.quality().smallestFraction(), ROUNDING);
        assertEquals(1, bound.connections());
        assertEquals(millis, bound.millis());
    }

    @Test
    void threeSubflowsHaveAll() {
        stage.open();
        stage.join(1);
        stage.join(2);
        refreshAfter(0);
        refreshAfter(STILL);
        assertEquals(1, estimator.bound().orElseThrow().quality().sumFraction(), ROUNDING);
    }

    @Test
    void itWaitsUntilNothingMovesAnyMore() {
        stage.open();
        refreshAfter(0);
        refreshAfter(STILL - 1);
        assertEquals(Optional.empty(), estimator.bound());
        stage.join(1);
        refreshAfter(1);
        assertEquals(Optional.empty(), estimator.bound(), "a subflow has come");
        refreshAfter(STILL);
        assertEquals(2.0 / 3, estimator.bound().orElseThrow().quality().sumFraction(), ROUNDING);
    }

    @Test
    void aNetworkThatIsNeverStillHasABoundAllTheSame() {
        stage.open();
        for (int i = 0; i * STILL < PERIOD; i++) {
            stage.openAnother("other-" + i, 2000 + i);
            refreshAfter(STILL - 1);
        }
        assertEquals(Optional.empty(), estimator.bound());
        stage.openAnother("last", 3000);
        refreshAfter(STILL);
        assertTrue(estimator.bound().isPresent(), "a minute has passed");
    }

    @Test
    void thereIsANewOneOnceAMinute() {
        stage.open();
        refreshAfter(0);
        refreshAfter(STILL);
        NetworkBound first = estimator.bound().orElseThrow();
        stage.join(1);
        refreshAfter(STILL);
        refreshAfter(PERIOD - STILL - 1);
        assertEquals(first, estimator.bound().orElseThrow());
        refreshAfter(1);
        assertEquals(2.0 / 3, estimator.bound().orElseThrow().quality().sumFraction(), ROUNDING);
    }

    @Test
    void withoutConnectionsThereIsNone() {
        Connection only = stage.open();
        refreshAfter(0);
        refreshAfter(STILL);
        assertTrue(estimator.bound().isPresent());
        stage.provisioner.close(List.of(only), Cause.ENDED);
        refreshAfter(1);
        assertEquals(Optional.empty(), estimator.bound());
    }

    private void refreshAfter(long passed) {
        millis += passed;
        estimator.refresh(stage.store.all());
    }
}
