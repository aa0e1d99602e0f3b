// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.placement.rate.PlacementQuality;
import org.subflow.mptcp.topology.Nets;

/** The state that one ONOS node sends to another one. */
class StateSnapshotTest {
    @Test
    void whatArrivesIsWhatWasSent() {
        StateSnapshot sent = snapshot();
        StateSnapshot arrived = StateSnapshot.decode(sent.encode());

        assertEquals(Examples.connections(), arrived.connections.stream()
                .map(entry -> entry.connection).collect(Collectors.toList()));
        StateSnapshot.Entry entry = arrived.connections.get(0);
        Connection connection = entry.connection;
        assertEquals(7e6, entry.measurement.rates(connection.first().tuple()).up());
        assertEquals(1234, entry.measurement.lastActiveMillis());
        assertEquals(Demand.of(5e6, Double.POSITIVE_INFINITY), entry.demand);
        assertEquals(3e6, entry.attainable.available().down());
        assertEquals(4e6, entry.attainable.fair().up());
        assertTrue(entry.hasAgent);
        LinkUsage usage = arrived.links.get(0);
        assertEquals(Nets.link(1, 2).src(), usage.link().src());
        assertEquals(List.of(1e7, 2e6, 3e6, 4e6), List.of(usage.capacity(), usage.reserved(), usage.measured(), usage.others()));
        assertEquals(3, usage.subflows());
        assertEquals(5, usage.attributes().delayMillis().orElseThrow());
        assertEquals(Set.of("a", "b"), usage.attributes().riskGroups());
        assertEquals(Map.of("packets", 12L), arrived.counters);
        assertEquals(OptionalLong.of(99), arrived.connection(Examples.ACTIVE).orElseThrow().awaitedUntil);
        assertEquals(OptionalLong.empty(), arrived.connection(Examples.IDLE).orElseThrow().awaitedUntil);
        assertEquals(sent.bound().orElseThrow().toString(), arrived.bound().orElseThrow().toString());
        assertEquals(0.25, arrived.bound().orElseThrow().quality().smallestFraction());
        assertArrayEquals(new long[] {4, 5}, arrived.waits(Wait.SETUP).counts());
        assertEquals(6.5, arrived.waits(Wait.SETUP).sum());
        assertEquals(0, arrived.waits(Wait.REROUTE).sum());
    }

    @Test
    void whatIsNotWholeIsRefused() {
        byte[] whole = snapshot().encode();
        assertThrows(RuntimeException.class, () -> StateSnapshot.decode(Arrays.copyOf(whole, whole.length / 2)));
        whole[0] = 9;
        assertThrows(IllegalArgumentException.class, () -> StateSnapshot.decode(whole));
    }

    private static StateSnapshot snapshot() {
        List<StateSnapshot.Entry> entries = Examples.connections().stream().map(connection -> new StateSnapshot.Entry(
                connection, new Measurement(Map.of(connection.first().tuple(), Rates.of(7e6, 1e3)), 1234),
                Demand.of(5e6, Double.POSITIVE_INFINITY), new AttainableRate(Rates.of(2e6, 3e6), Rates.of(4e6, 5e6)), true,
                connection.id().equals(Examples.ACTIVE) ? OptionalLong.of(99) : OptionalLong.empty()))
                .collect(Collectors.toList());
        NetworkBound bound = new NetworkBound(77, 3, PlacementQuality.of(1e6, 2e6, 4e6, 8e6));
        DurationHistogram waits = new DurationHistogram(new double[] {0.1, Double.POSITIVE_INFINITY}, new long[] {4, 5}, 6.5);
        return new StateSnapshot(entries, List.of(new LinkUsage(Nets.link(1, 2), Nets.capacity(1e7)
                .with(5, Set.of("a", "b")), 2e6, 3e6, 4e6, 3)),
                                 Map.of("packets", 12L),
                                 bound, Map.of(Wait.SETUP, waits));
    }
}
