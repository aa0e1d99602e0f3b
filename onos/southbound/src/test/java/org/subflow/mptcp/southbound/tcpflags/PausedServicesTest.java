// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.southbound.tcpflags.PausedServices.FINISH_MILLIS;
import static org.subflow.mptcp.southbound.tcpflags.PausedServices.LATE_MILLIS;
import static org.subflow.mptcp.southbound.tcpflags.PausedServices.PAUSE_MILLIS;
import static org.subflow.mptcp.southbound.tcpflags.Tables.BOTH;
import static org.subflow.mptcp.southbound.tcpflags.Tables.COPIES;
import static org.subflow.mptcp.southbound.tcpflags.Tables.NOTHING;
import static org.subflow.mptcp.southbound.tcpflags.Tables.RULES;
import static org.subflow.mptcp.southbound.tcpflags.TwoSwitches.S1;
import static org.subflow.mptcp.southbound.tcpflags.TwoSwitches.S2;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.subflow.mptcp.southbound.RecordingSwitch;
import org.subflow.mptcp.southbound.tcpflags.UnseenSegments.Sender;

/** How many new connections of a service are seen, and what stands in first tables while it is paused. */
class PausedServicesTest {
    private static final String OTHER = "10.0.0.3";
    private static final int PORT = 3;

    private final TwoSwitches switches = new TwoSwitches(COPIES);
    private final RecordingSwitch s1 = switches.s1;
    private final RecordingSwitch s2 = switches.s2;
    private final Tables.Told told = switches.told;
    private final PortClock time = new PortClock();
    private int most = 100;
    private final Set<String> elsewhere = new HashSet<>();
    private final PausedServices services = new PausedServices(
            () -> most, time, time, (address, port) -> !elsewhere.contains(address.toString()), switches::pausesChanged);

    @BeforeEach
    void begin() {
        switches.begin(new Pauses(new PausedPorts(() -> 0, () -> 0, () -> 0, time, time, dpid -> { }), services));
    }

    @Test
    void aServiceMayHaveASecondsWorthAtOnceAndThenPauses() {
        assertEquals(most, open(10 * most, Frames.CLIENT));
        assertEquals(0, open(1, Frames.CLIENT));
        assertEquals(most, open(10 * most, OTHER, PORT + 1), "another client's connections are another service");
    }

    @Test
    void allAddressesOfAClientAreSeenTogetherOrNotAtAll() {
        for (int i = 0; i < most / 2; i++) {
            assertEquals(1, open(1, Frames.CLIENT));
            assertEquals(1, open(1, OTHER));
        }
        assertEquals(0, open(1, OTHER));
        assertEquals(0, open(1, Frames.CLIENT));
        assertEquals(tableOf(unseen(Frames.CLIENT, Sender.CLIENT, true), unseen(OTHER, Sender.CLIENT, true)), Tables.in(s1));
    }

    @Test
    void answersToNobodyPauseNoService() {
        for (int i = 0; i < 10 * most; i++) {
            assertTrue(answer(Frames.CLIENT), "nobody has sent a SYN");
        }
        syn(Frames.CLIENT);
        for (int i = 0; i < 10 * most; i++) {
            assertTrue(services.admits(S1, PORT, Frames.tcp(Frames.SERVER, Frames.CLIENT, Frames.SYN | Frames.ACK)), "to itself");
            assertTrue(answer(Frames.CLIENT), "one answer counts");
        }
        assertEquals(tableOf(), Tables.in(s1));
        assertEquals(tableOf(), Tables.in(s2));
    }

    @Test
    void whoeverUsesTheAddressOfAClientElsewherePausesNoServiceOfThatClient() {
        elsewhere.add(Frames.CLIENT);
        assertEquals(most, open(most, Frames.CLIENT));
        open(10, Frames.CLIENT);
        assertEquals(tableOf(), Tables.in(s1));
        assertEquals(tableOf(), Tables.in(s2));
        open(most, OTHER);
        assertEquals(tableOf(unseen(OTHER, Sender.CLIENT, true)), Tables.in(s1));
    }

    @Test
    void ofManyAddressesAtAPortSomeHaveABoundOfTheirOwn() {
        for (int i = 0; i < ServiceBound.MOST_ADDRESSES; i++) {
            open(1, "10.2.0." + i);
        }
        assertEquals(most - ServiceBound.MOST_ADDRESSES, open(most, "10.2.0.0"));
        assertEquals(most, open(2 * most, "10.2.0.200"));
    }

    @Test
    void aServiceAtItsBoundNeverPauses() {
        for (int i = 0; i < 20 * most; i++) {
            time.pass(10);
            assertEquals(1, open(1, Frames.CLIENT));
        }
        assertEquals(tableOf(), Tables.in(s1));
    }

    @Test
    void synsThatNobodyAnswersPauseNoService() {
        for (int i = 0; i < 10 * most; i++) {
            assertTrue(syn(Frames.CLIENT));
        }
        assertEquals(tableOf(), Tables.in(s1));
    }

    @Test
    void endsAreCopiedForAWhileLonger() {
        open(most + 1, Frames.CLIENT);
        assertEquals(tableOf(unseen(Frames.CLIENT, Sender.CLIENT, true)), Tables.in(s1));
        assertEquals(tableOf(unseen(Frames.CLIENT, Sender.SERVER, true)), Tables.in(s2));
        time.pass(FINISH_MILLIS);
        assertEquals(tableOf(unseen(Frames.CLIENT, Sender.CLIENT, false)), Tables.in(s1));
        assertEquals(tableOf(unseen(Frames.CLIENT, Sender.SERVER, false)), Tables.in(s2));
        time.pass(PAUSE_MILLIS - FINISH_MILLIS);
        assertEquals(tableOf(), Tables.in(s1));
        assertEquals(tableOf(), Tables.in(s2));
        assertEquals(most, open(2 * most, Frames.CLIENT));
    }

    @Test
    void endsThatComeAllTheSameAreShown() {
        open(most + 1, Frames.CLIENT);
        time.pass(FINISH_MILLIS);
        assertTrue(services.admits(S1, PORT, Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.FIN | Frames.ACK)));
    }

    @Test
    void asMuchIsSeenOnAverageAsTheBoundSays() {
        int seen = 0;
        int seconds = 100;
        for (int i = 0; i < 100 * seconds; i++) {
            time.pass(10);
            seen += open(10, Frames.CLIENT);
        }
        assertTrue(seen > most * seconds / 4 && seen <= most * seconds, seen + " seen");
    }

    @Test
    void onlySoManyServicesPauseAtATime() {
        for (int client = 0; client < 2 * PausedServices.MOST; client++) {
            open(2 * most, "10.1.0." + client, PORT + client);
        }
        assertEquals(tableOf().size() + PausedServices.MOST, Tables.in(s1).size());
        time.pass(PAUSE_MILLIS);
        assertEquals(tableOf(), Tables.in(s1));
    }

    @Test
    void whileSynsAreDivertedAndWhenNobodyWantsSegmentsNothingStays() {
        open(most + 1, Frames.CLIENT);
        switches.want(BOTH);
        assertEquals(RULES.rules(BOTH, Set.of()), Tables.in(s1));
        switches.want(NOTHING);
        assertEquals(Set.of(RULES.always()), Tables.in(s1));
    }

    @Test
    void withoutABoundNothingPauses() {
        open(most + 1, Frames.CLIENT);
        most = 0;
        switches.tables().wantedChanged();
        assertEquals(tableOf(), Tables.in(s1));
        assertEquals(1000, open(1000, Frames.CLIENT));
    }

    @Test
    void aServiceIsToldFromItsFirstPauseUntilItHasKeptToItsBound() {
        String paused = "copied, paused 10.0.0.1 to port 1002 of 10.0.0.2";
        for (int i = 0; i < 3; i++) {
            open(most + 1, Frames.CLIENT);
            switches.answerAll();
            time.pass(PAUSE_MILLIS);
            switches.answerAll();
        }
        assertEquals(List.of("copied", paused), told.of(S1));
        time.pass(LATE_MILLIS - 1);
        assertEquals(List.of("copied", paused), told.of(S1));
        time.pass(1);
        assertEquals(List.of("copied", paused, "copied"), told.of(S1));
        assertEquals(told.of(S1), told.of(S2));
        assertEquals(0, time.waiting(), "tasks for later");
    }

    /** Opens connections to the server behind the second switch; returns how many of them are to be seen. */
    private int open(int count, String client) {
        return open(count, client, PORT);
    }

    private int open(int count, String client, int port) {
        int seen = 0;
        for (int i = 0; i < count; i++) {
            boolean isSeen = services.admits(S1, port, Frames.tcp(client, Frames.SERVER, Frames.SYN));
            isSeen &= answer(client);
            seen += isSeen ? 1 : 0;
        }
        return seen;
    }

    private boolean syn(String client) {
        return services.admits(S1, PORT, Frames.tcp(client, Frames.SERVER, Frames.SYN));
    }

    private boolean answer(String client) {
        return services.admits(S2, PORT, Frames.tcp(Frames.SERVER, client, Frames.SYN | Frames.ACK));
    }

    private static UnseenSegments unseen(String client, Sender sender, boolean synsAlone) {
        return new UnseenSegments(Tables.service(client, Frames.SERVER, 1002), sender, PORT, synsAlone);
    }

    private static Set<OFFlowAdd> tableOf(UnseenSegments... unseen) {
        Set<OFFlowAdd> table = RULES.rules(COPIES, Set.of());
        table.addAll(RULES.unseen(COPIES, Set.of(unseen)));
        return table;
    }
}
