// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

/** When eMPTCP's rule asks for further subflows. */
class RequestRuleTest {
    private static final double ZETA = 30e6;

    /** Returns the seconds at which the rule asks, of a rate at each second. */
    private static List<Long> asks(int seconds, LongToDoubleFunction rate, boolean isNetworkLimited) {
        RequestRule rule = new RequestRule();
        List<Long> asked = new ArrayList<>();
        for (long second = 1; second <= seconds; second++) {
            if (rule.needsMore(second * 1000, rate.applyAsDouble(second), ZETA, isNetworkLimited)) {
                asked.add(second);
            }
        }
        return asked;
    }

    @Test
    void threeSamplesBelowTheShareOfZeta() {
        assertEquals(List.of(3L), asks(4, second -> 23e6, true));
        assertEquals(List.of(), asks(60, second -> 25e6, true));
    }

    @Test
    void oneGoodSampleBeginsAnew() {
        assertEquals(List.of(), asks(60, second -> second % 3 == 0 ? 25e6 : 10e6, true));
    }

    @Test
    void anApplicationThatSendsLittleNeedsNone() {
        assertEquals(List.of(), asks(60, second -> 1e6, false));
    }

    @Test
    void whatDoesNotHelpIsAskedForLessAndLessOften() {
        assertEquals(List.of(3L, 8L, 18L, 38L, 78L), asks(100, second -> 10e6, true));
    }

    @Test
    void whatHelpsKeepsThePauseShort() {
        assertEquals(List.of(3L, 8L, 13L), asks(15, second -> second < 8 ? 8e6 : second < 13 ? 12e6 : 20e6, true));
    }

    @Test
    void samplesOfTheSameSecondCountOnce() {
        RequestRule rule = new RequestRule();
        int asked = 0;
        for (long millis = 0; millis < 2900; millis += 100) {
            asked += rule.needsMore(millis, 1e6, ZETA, true) ? 1 : 0;
        }
        assertEquals(1, asked);
        assertEquals(List.of(), asks(2, second -> 1e6, true));
    }
}
