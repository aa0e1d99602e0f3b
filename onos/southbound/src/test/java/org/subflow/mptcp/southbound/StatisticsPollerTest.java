// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** Whom the poller asks, and that it goes on whatever happens. */
class StatisticsPollerTest {
    private static final int TIMEOUT_SECONDS = 30;

    private final SwitchesController controller = new SwitchesController();
    private final RecordingSwitch s1 = controller.connect(1);
    private final Semaphore requests = new Semaphore(0);
    private final StatisticsPoller poller = new StatisticsPoller(controller, "test", this::request);

    @AfterEach
    void stop() {
        poller.stop();
    }

    @Test
    void aSwitchCanBeAskedAtOnce() {
        poller.poll(s1);
        assertEquals(List.of("ECHO_REQUEST"), List.of(s1.onlyMessage().getType().toString()));
    }

    @Test
    void aSwitchThatIsGoneIsNotAsked() {
        poller.poll(null);
        s1.connected = false;
        poller.poll(s1);
        assertEquals(List.of(), s1.sent);
    }

    @Test
    void everySwitchIsAskedEachRoundEvenAfterARoundThatFailed() throws InterruptedException {
        s1.failsOnce = true;
        RecordingSwitch s2 = controller.connect(2);
        poller.setInterval(1);
        assertTrue(requests.tryAcquire(3, TIMEOUT_SECONDS, TimeUnit.SECONDS), "one request failed, two followed");
        assertFalse(s1.failsOnce);
        s1.next();
        s2.next();
    }

    @Test
    void aNewIntervalReplacesTheOldOne() throws InterruptedException {
        poller.setInterval(3600);
        poller.setInterval(1);
        assertTrue(requests.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void switchesWithManyEntriesTakeTurns() {
        RecordingSwitch s2 = controller.connect(2);
        RecordingSwitch s3 = controller.connect(3);
        poller.replied(s1.getDpid(), 100);
        poller.replied(s2.getDpid(), 50);
        poller.replied(s3.getDpid(), 50);
        poller.setInterval(100, 1);
        poller.pollAll();
        assertEquals(List.of(1, 0, 0), asked(s1, s2, s3));
        poller.pollAll();
        assertEquals(List.of(1, 1, 1), asked(s1, s2, s3));
        poller.pollAll();
        assertEquals(List.of(2, 1, 1), asked(s1, s2, s3));
    }

    private static List<Integer> asked(RecordingSwitch... switches) {
        return Arrays.stream(switches).map(sw -> sw.sent.size()).collect(Collectors.toList());
    }

    @Test
    void aSwitchWithTooManyEntriesForARoundIsAskedNevertheless() {
        poller.replied(s1.getDpid(), 1_000_000);
        poller.setInterval(100, 1);
        poller.pollAll();
        poller.pollAll();
        assertEquals(List.of(2), asked(s1));
    }

    private OFMessage request(OpenFlowSwitch sw) {
        requests.release();
        return RecordingSwitch.FACTORY.buildEchoRequest().build();
    }
}
