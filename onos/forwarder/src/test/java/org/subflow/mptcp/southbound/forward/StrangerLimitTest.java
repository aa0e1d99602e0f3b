// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;

/** How many packets of strangers pass. */
class StrangerLimitTest {
    private static final ConnectPoint PORT = Network.S1.port(1);
    private static final int MANY = 10 * StrangerLimit.MOST_PER_SECOND;

    private long now = Long.MAX_VALUE;
    private final StrangerLimit limit = new StrangerLimit(() -> now);

    @Test
    void soManyPassInASecond() {
        assertEquals(StrangerLimit.MOST_PER_SECOND, admitted(PORT));
        now += 999_999_999;
        assertEquals(0, admitted(PORT));
        now++;
        assertEquals(StrangerLimit.MOST_PER_SECOND, admitted(PORT));
    }

    @Test
    void everyPortHasItsOwn() {
        admitted(PORT);
        assertEquals(StrangerLimit.MOST_PER_SECOND, admitted(Network.S1.port(2)));
        assertEquals(StrangerLimit.MOST_PER_SECOND, admitted(Network.S2.port(1)));
    }

    private long admitted(ConnectPoint port) {
        return IntStream.range(0, MANY).filter(i -> limit.admits(port)).count();
    }
}
