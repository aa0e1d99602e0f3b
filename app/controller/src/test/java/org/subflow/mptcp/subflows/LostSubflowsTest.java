// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.ReportedConnection;

/** Subflows that are lost, and those that had to wait. */
class LostSubflowsTest extends SubflowPlannerScenario {
    @Test
    void aSubflowThatTheHostHasClosedIsReplaced() {
        FiveTuple[] all = tuples(stage.open());
        stage.installed();
        pass(5, all);
        assertEquals(3, stage.connection().subflows().size());
        pass(3, all[0], all[1]);
        assertEquals(List.of(all[0], all[1]), List.of(tuples(stage.connection())));
        pass(6, all[0], all[1]);
        assertEquals(3, middles(stage.connection()).size());
        assertEquals(1, command(says(all[0], all[1])).add.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 20, 40, 300})
    void aSubflowThatIsResetIsReplacedHoweverLongItHasWorked(int seconds) {
        FiveTuple[] all = tuples(stage.open());
        stage.installed();
        send(seconds, all);
        send(15, all[0], all[1]);
        assertEquals(1, command(says(all[0], all[1])).add.size());
        assertEquals(3, middles(stage.connection()).size());
    }

    @Test
    void theFirstSubflowIsReplacedToo() {
        FiveTuple[] all = tuples(stage.open());
        stage.installed();
        send(40, all);
        stage.endings.ended(all[0], true, stage.millis);
        for (int second = 0; second < 15; second++) {
            says(all[1], all[2]);
            stage.second(octets);
        }
        assertEquals(1, command(says(all[1], all[2])).add.size());
        assertEquals(3, middles(stage.connection()).size());
    }

    @Test
    void oneThatIsLostAgainAndAgainIsTriedEverMoreSeldomAlsoWhileItsSiblingsWork() {
        FiveTuple[] all = tuples(stage.open());
        stage.installed();
        pass(5, all);
        Set<FiveTuple> tried = new HashSet<>();
        for (int second = 0; second < 600; second++) {
            tried.addAll(List.of(tuples(stage.connection())));
            pass(1, all[0], all[1]);
        }
        assertTrue(tried.size() >= 6 && tried.size() <= 12, "tried: " + tried);
    }

    @Test
    void whoHasWaitedForOthersToComeGetsItsPathsThen() {
        stage.settings = settings().with(Settings.MANAGE_AFTER_MILLIS, 0);
        for (int number = 0; number < 40; number++) {
            stage.openAnother(String.format("%08x", number), 2000 + number);
        }
        for (int second = 0; second < 20; second++) {
            report(stage.store.all());
            stage.pass(1);
        }
        assertTrue(stage.store.all().stream().allMatch(connection -> connection.subflows().size() == 3), "not only those that came first");
    }

    /** All subflows that there should be have come. */
    private void report(List<Connection> all) {
        List<ReportedConnection> told = all.stream()
                .map(one -> new ReportedConnection(subflows(1e6, true, tuples(one)), false, false, true)).collect(Collectors.toList());
        agents.report(client, new Report("0.1.0", "bpf", OptionalLong.empty(), 0, told, true), answers::add);
        reports.apply();
    }
}
