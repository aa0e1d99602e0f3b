// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.connection.Stage;

class SetupTimesTest {
    private final Stage stage = new Stage();
    private final SetupTimes times = new SetupTimes();

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void aSubflowWaitsFromItsHandshakeToItsRules() {
        Connection connection = stage.open();
        times.established(connection.first().tuple(), millis(100));
        times.submitted(connection, 1);
        assertEquals(0, times.counters().get("rules.subflows"));

        times.installed(Stage.ID, 1, millis(125));
        assertEquals(1, times.counters().get("rules.subflows"));
        assertEquals(25_000, times.counters().get("rules.median-micros"));

        times.installed(Stage.ID, 1, millis(300));
        assertEquals(1, times.counters().get("rules.subflows"), "installed again: it had them already");
    }

    @Test
    void aNewerSubmissionBringsTheRulesOfAnOlderOne() {
        times.established(Stage.tuple("10.0.0.1", 1000), millis(0));
        times.submitted(stage.open(), 1);
        times.established(Stage.tuple("10.0.0.11", 1001), millis(10));
        times.submitted(stage.join(1), 2);

        times.installed(Stage.ID, 2, millis(30));
        assertEquals(2, times.counters().get("rules.subflows"));
        assertEquals(30_000, times.counters().get("rules.p95-micros"));
    }

    @Test
    void anOlderSubmissionDoesNotBringTheRulesOfANewerOne() {
        stage.open();
        times.established(Stage.tuple("10.0.0.11", 1001), millis(10));
        times.submitted(stage.join(1), 2);
        times.installed(Stage.ID, 1, millis(30));
        assertEquals(0, times.counters().get("rules.subflows"));
    }

    private static long millis(long value) {
        return TimeUnit.MILLISECONDS.toNanos(value);
    }
}
