// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;

class PortBudgetTest {
    private static final ConnectPoint PORT = ConnectPoint.deviceConnectPoint("of:0000000000000001/1");
    private static final int MOST = 100;
    private static final int MANY = 10 * MOST;

    private long millis = 123_456;
    private final PortBudget budget = new PortBudget("packets", MOST, () -> TimeUnit.MILLISECONDS.toNanos(millis));

    @Test
    void soManyPassInASecond() {
        assertEquals(MOST, admitted(PORT));
        millis += 500;
        assertEquals(MOST / 2, admitted(PORT));
        millis += 5000;
        assertEquals(MOST, admitted(PORT), "seconds without any are not made up for");
    }

    @Test
    void everyPortHasItsOwn() {
        admitted(PORT);
        assertEquals(MOST, admitted(ConnectPoint.deviceConnectPoint("of:0000000000000001/2")));
        assertEquals(MOST, admitted(ConnectPoint.deviceConnectPoint("of:0000000000000002/1")));
    }

    @Test
    void theRestIsCountedUntilThePortIsQuiet() {
        admitted(PORT);
        assertEquals(MANY - MOST, budget.dropped(PORT));
        millis += 1000;
        budget.admits(PORT);
        budget.drop(PORT);
        assertEquals(MANY - MOST + 1, budget.dropped(PORT));
        millis += 15_999;
        budget.admits(PORT);
        assertEquals(MANY - MOST + 1, budget.dropped(PORT));
        millis++;
        budget.admits(PORT);
        assertEquals(0, budget.dropped(PORT));
    }

    private long admitted(ConnectPoint port) {
        return IntStream.range(0, MANY).filter(i -> budget.admits(port)).count();
    }
}
