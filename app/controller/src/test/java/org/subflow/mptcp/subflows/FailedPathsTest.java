// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Subflows on the path over switch 3 do not come, or are lost; what becomes of that path, and of the others. */
class FailedPathsTest extends SubflowPlannerScenario {
    private static final DeviceId BAD = Nets.device(3);
    private static final DeviceId GOOD = Nets.device(4);
    /** How long subflows on the bad path live; 0 if they do not come. */
    private int livesSeconds = 1;
    private final List<FiveTuple> reset = new ArrayList<>();
    private final List<Integer> asked = new ArrayList<>();
    private final Set<FiveTuple> seen = new HashSet<>();
    private int second;

    private FiveTuple[] over(DeviceId middle) {
        return stage.connection().subflows().stream().filter(Subflow::isRouted).filter(one -> Stage.middle(one).equals(middle))
                .map(Subflow::tuple).toArray(FiveTuple[]::new);
    }

    private void open() {
        // The first subflow is on neither.
        for (int middle = 3; middle <= 4; middle++) {
            stage.capacities.put(Nets.link(1, middle), Nets.CAPACITY / 2);
            stage.capacities.put(Nets.link(middle, 1), Nets.CAPACITY / 2);
        }
        stage.open();
        stage.installed();
        assertEquals(1, over(BAD).length);
        assertEquals(1, over(GOOD).length);
    }

    /** A second passes. */
    private void passOne() {
        for (FiveTuple tuple : over(BAD)) {
            if (seen.add(tuple)) {
                asked.add(second);
            }
        }
        List<FiveTuple> present = stage.connection().subflows().stream().map(Subflow::tuple)
                .filter(tuple -> !reset.contains(tuple)).collect(Collectors.toCollection(ArrayList::new));
        if (!asked.isEmpty() && second - asked.get(asked.size() - 1) >= livesSeconds) {
            present.removeAll(List.of(over(BAD)));
        }
        send(1, present.toArray(FiveTuple[]::new));
        second++;
    }

    private void passUntil(int end) {
        while (second < end) {
            passOne();
        }
    }

    private List<Integer> gaps() {
        return IntStream.range(1, asked.size()).mapToObj(i -> asked.get(i) - asked.get(i - 1)).collect(Collectors.toList());
    }

    /** The subflow on the good path is reset; returns after how many seconds there is another one. */
    private int replacedAfter() {
        FiveTuple lost = over(GOOD)[0];
        reset.add(lost);
        int begin = second;
        while (second < begin + 60 && (over(GOOD).length == 0 || over(GOOD)[0].equals(lost))) {
            passOne();
        }
        return second - begin;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8})
    void onePathThatFailsAgainAndAgainDelaysNoOtherAndIsTriedEverMoreSeldom(int seconds) {
        livesSeconds = seconds;
        open();
        for (int loss = 1; loss <= 12; loss++) {
            passUntil(100 * loss + 7 * loss);
            int after = replacedAfter();
            assertTrue(after <= 15, "replaced after " + after + " s, loss " + loss + ", gaps of the other path " + gaps());
        }
        List<Integer> gaps = gaps();
        assertEquals(gaps.stream().sorted().collect(Collectors.toList()), gaps, "ever more seldom");
        assertTrue(gaps.size() >= 6 && gaps.size() <= 9 && gaps.get(gaps.size() - 1) >= 320, "gaps: " + gaps);
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 35})
    void aPathIsTriedSoonAgainOnceASubflowThereHasWorkedForHalfAMinute(int seconds) {
        open();
        passUntil(400);
        int tries = asked.size();
        passUntil(asked.get(tries - 1) + 300);
        livesSeconds = seconds;
        while (asked.size() == tries) {
            passOne();
        }
        livesSeconds = seconds;
        passUntil(asked.get(tries) + seconds + 15);
        assertEquals(seconds < 30 ? tries + 1 : tries + 2, asked.size(), "gaps: " + gaps());
    }

    @Test
    void afterAChangeOfTheNetworkEachPathIsTriedAtOnceAndThenSoonAgain() {
        open();
        passUntil(400);
        int tries = asked.size();
        assertEquals(0, over(BAD).length);
        stage.changes.networkChanged(stage.millis);
        passUntil(402);
        assertEquals(tries + 1, asked.size());
        passUntil(415);
        assertEquals(tries + 2, asked.size(), "gaps: " + gaps());
    }

    @Test
    void theOldestFailureMakesRoom() {
        Connection connection = stage.open();
        Subflow model = connection.subflows().get(1);
        FailedPaths failed = new FailedPaths();
        for (int number = 0; number <= FailedPaths.MOST; number++) {
            Subflow subflow = Subflow.unrouted(tuple(number), true, true, model.ingress(), model.egress())
                    .withRoute(model.state(), model.path(), model.reversePath(), 0);
            failed.look(List.of(subflow), 0);
            assertTrue(failed.look(List.of(), 0));
        }
        assertEquals(List.of(0, 1, 1), IntStream.of(0, 1, FailedPaths.MOST)
                .map(number -> failed.taken(connection, pair(number), 0).subflows().size() - connection.subflows().size()).boxed()
                .collect(Collectors.toList()));
    }

    private static FiveTuple tuple(int number) {
        return FiveTuple.of(IpAddress.valueOf("10.0.1." + number), 61_000, Stage.SERVER, 5201);
    }

    private static AddressPair pair(int number) {
        FiveTuple tuple = tuple(number);
        return new AddressPair(new AddressPair.Home(tuple.source(), HostId.NONE, Nets.edge(1)),
                               new AddressPair.Home(tuple.destination(), HostId.NONE, Nets.edge(5)));
    }
}
