// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.loop.TaskQueue.Added;

/** Which task comes next. */
class TaskQueueTest {
    private static final int ROOM = 1000;

    private long millis;
    private final TaskQueue queue = new TaskQueue(() -> TimeUnit.MILLISECONDS.toNanos(millis));
    private final List<String> ran = new ArrayList<>();

    @Test
    void urgentTasksComeFirstAndEqualOnesInTheirOrder() throws InterruptedException {
        add(Urgency.CHORE, "tick", 0);
        add(Urgency.SHARES, "share", 0);
        add(Urgency.ADMISSION, "open", 0);
        add(Urgency.EVENT, "link", 0);
        add(Urgency.ADMISSION, "join", 0);
        add(Urgency.EVENT, "installed", 0);
        run(6);
        assertEquals(List.of("link", "installed", "open", "join", "share", "tick"), ran);
    }

    @Test
    void oneClassIsFullAndTheOthersAreNot() {
        assertEquals(Added.YES, queue.add(Urgency.ADMISSION, () -> { }, 2));
        assertEquals(Added.YES, queue.add(Urgency.ADMISSION, () -> { }, 2));
        assertEquals(Added.FULL, queue.add(Urgency.ADMISSION, () -> { }, 2));
        assertEquals(Added.YES, queue.add(Urgency.EVENT, () -> { }, 2));
        assertEquals(Added.YES, queue.add(Urgency.CHORE, () -> { }, 2));
    }

    @Test
    void aSteadyStreamOfAdmissionsDoesNotPostponeSharesForEver() throws InterruptedException {
        admissions(500, 1);
        add(Urgency.SHARES, "share", 30);
        run(100);
        assertEquals(Urgency.SHARES.patienceMillis(), ran.indexOf("share"), "milliseconds, one for each admission");
    }

    @Test
    void sharesThatTakeLongLeaveAsMuchTimeToAdmissions() throws InterruptedException {
        admissions(1500, 1);
        for (int share = 0; share < 4; share++) {
            add(Urgency.SHARES, "share", 200);
        }
        run(804);
        List<Integer> shares = new ArrayList<>();
        for (int i = 0; i < ran.size(); i++) {
            if (ran.get(i).equals("share")) {
                shares.add(i);
            }
        }
        assertEquals(List.of(50, 251, 452, 653), shares, "50 ms of patience, then 200 admissions of 1 ms before each");
    }

    @Test
    void everyClassGetsItsTurnBesideAllTheOthers() throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            for (Urgency urgency : Urgency.values()) {
                add(urgency, urgency.name(), 10);
            }
        }
        run(300);
        for (Urgency urgency : Urgency.values()) {
            assertTrue(Collections.frequency(ran, urgency.name()) >= 3, () -> urgency + " in 3 s: " + ran);
        }
        for (int i = 1; i < ran.size(); i++) {
            assertTrue(ran.get(i).equals("EVENT") || ran.get(i - 1).equals("EVENT"), "events wait for one other at most");
        }
    }

    @Test
    void aTaskForLaterWaitsUntilItIsDue() throws InterruptedException {
        assertTrue(queue.addLater(Urgency.EVENT, TimeUnit.MILLISECONDS.toNanos(5), () -> ran.add("later"), true));
        add(Urgency.CHORE, "first", 5);
        add(Urgency.CHORE, "last", 0);
        run(3);
        assertEquals(List.of("first", "later", "last"), ran);
    }

    @Test
    void whatWaitsAtTheCloseStillComesButNothingNew() throws InterruptedException {
        add(Urgency.CHORE, "tick", 0);
        queue.addLater(Urgency.EVENT, TimeUnit.HOURS.toNanos(1), () -> ran.add("spaced"), true);
        queue.addLater(Urgency.EVENT, TimeUnit.HOURS.toNanos(1), () -> ran.add("repeated"), false);
        queue.close();
        assertEquals(Added.CLOSED, queue.add(Urgency.EVENT, () -> { }, ROOM));
        assertFalse(queue.addLater(Urgency.EVENT, 0, () -> { }, true));
        run(2);
        assertEquals(List.of("spaced", "tick"), ran);
        assertNull(queue.take());
    }

    private void admissions(int many, int tookMillis) {
        for (int i = 0; i < many; i++) {
            add(Urgency.ADMISSION, "open", tookMillis);
        }
    }

    /** Adds a task that takes some milliseconds. */
    private void add(Urgency urgency, String name, int tookMillis) {
        assertEquals(Added.YES, queue.add(urgency, () -> {
            ran.add(name);
            millis += tookMillis;
        }, 10 * ROOM));
    }

    private void run(int tasks) throws InterruptedException {
        for (int i = 0; i < tasks; i++) {
            queue.take().run();
        }
    }
}
