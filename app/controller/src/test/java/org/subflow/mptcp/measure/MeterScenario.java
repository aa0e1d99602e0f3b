// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** A connection with a path, and a meter that reads what the switches tell of it. */
abstract class MeterScenario {
    static final long MEGABYTE = 1_000_000;

    final Stage stage = new Stage();
    final ToldRules rules = new ToldRules();
    Meter meter = new Meter(ToldRules.APP, port -> Optional.empty(), Stamps.AS_THEY_ARE);
    Connection connection;

    @BeforeEach
    void open() {
        connection = stage.open();
        meter.watch(connection.id(), 1000);
    }

    long idle() {
        return meter.idleMillis(connection.id(), 0);
    }

    Rates rates() {
        return meter.measurement(connection.id()).rates(connection.first().tuple());
    }

    /** Both rules have counted so many small packets. */
    void sample(long millis, long packets) {
        sample(millis, packets, 100 * packets, packets, 100 * packets);
    }

    void sample(long millis, long packetsUp, long bytesUp, long packetsDown, long bytesDown) {
        rules.clear();
        FiveTuple up = connection.first().tuple();
        rules.tell(up, connection.first().ingress(), millis, packetsUp, bytesUp);
        rules.tell(up.reversed(), connection.first().egress(), millis, packetsDown, bytesDown);
        rules.tell(up, Nets.port(1, 2), millis, 7, 7);
        meter.sample(List.of(connection), rules.own().read());
    }
}
