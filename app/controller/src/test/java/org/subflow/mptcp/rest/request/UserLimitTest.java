// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class UserLimitTest {
    private final UserLimit limit = new UserLimit(3, 2);

    @Test
    void oneUserLeavesRoomForTheOthers() {
        assertTrue(limit.enter("a"));
        assertTrue(limit.enter("a"));
        assertFalse(limit.enter("a"));
        assertTrue(limit.enter("b"));
    }

    @Test
    void allTogetherAreBounded() {
        assertTrue(limit.enter("a"));
        assertTrue(limit.enter("b"));
        assertTrue(limit.enter("c"));
        assertFalse(limit.enter("d"));
    }

    @Test
    void whatHasEndedLeavesItsPlace() {
        limit.enter("a");
        limit.enter("a");
        limit.leave("a");
        assertTrue(limit.enter("a"));
        assertFalse(limit.enter("a"));
    }
}
