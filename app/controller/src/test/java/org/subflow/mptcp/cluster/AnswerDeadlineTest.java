// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Questions to stores that do not answer. */
class AnswerDeadlineTest {
    private final CountDownLatch never = new CountDownLatch(1);
    private final AnswerDeadline hasty = new AnswerDeadline(10);
    private final AnswerDeadline patient = new AnswerDeadline(60_000);

    @AfterEach
    void stop() {
        hasty.stop();
        patient.stop();
    }

    @Test
    void anAnswerIsReturned() {
        assertEquals(7L, patient.ask(() -> 7L));
    }

    @Test
    void whatFailsFailsForTheAsker() {
        RuntimeException failure = new UnsupportedOperationException("no");
        assertEquals(failure, assertThrows(UnsupportedOperationException.class, () -> patient.ask(() -> {
            throw failure;
        })));
    }

    @Test
    void anAnswerThatIsLateIsNotWaitedForAndTheNextQuestionIsAsked() {
        for (int i = 0; i < 20; i++) {
            assertThrows(IllegalStateException.class, () -> hasty.ask(this::endless));
        }
        assertEquals(7L, patient.ask(() -> 7L));
    }

    private Long endless() {
        try {
            never.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0L;
    }
}
