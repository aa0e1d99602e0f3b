// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.measure.CounterSpan;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.PortCounter;
import org.subflow.mptcp.wiring.Stage;

/** Connections whose switches tell what a test says, and what the controller learns of it. */
abstract class SharesScenario {
    static final double ROUNDING = 1e3;

    final Stage stage = new Stage();
    final Map<Link, Double> sent = new HashMap<>();
    final Set<Link> full = new HashSet<>();
    long millis;
    boolean counted = true;

    /** As many seconds as it takes in which ports send at these rates, bit/s, and connections nothing. */
    void settle(Map<Link, Double> ports) {
        for (int i = 0; i < 20; i++) {
            second(null, null, link -> ports.getOrDefault(link, 0.0));
        }
    }

    void settle(Connection connection, Map<Link, Double> ports) {
        for (int i = 0; i < 20; i++) {
            second(connection, new CounterSpan(millis, 0, millis + 1000, 0), link -> ports.getOrDefault(link, 0.0));
        }
    }

    /** A second passes in which ports send at these rates, bit/s; both counters are read at its end. */
    boolean second(Connection connection, CounterSpan rules, ToDoubleFunction<Link> ports) {
        millis += 1000;
        List<Connection> live = connection == null ? List.of() : List.of(connection);
        return stage.others.update(stage.snapshot(), live, (c, subflow, alongSyn) -> rules, link -> {
            double bytes = sent.merge(link, ports.applyAsDouble(link) / 8, Double::sum);
            return Optional.of(new PortCounter(millis, Math.round(bytes)));
        });
    }

    void known(Connection connection, Rates measured) {
        for (int i = 1; i <= 3; i++) {
            sample(connection, i, measured);
        }
    }

    boolean sample(Connection connection, long millis, Rates measured) {
        return stage.demands.update(connection, measurement(connection, measured), millis, counted, full::contains);
    }

    static Measurement measurement(Connection connection, Rates rates) {
        Map<FiveTuple, Rates> bySubflow = new HashMap<>();
        bySubflow.put(connection.first().tuple(), rates);
        return new Measurement(bySubflow, 0);
    }
}
