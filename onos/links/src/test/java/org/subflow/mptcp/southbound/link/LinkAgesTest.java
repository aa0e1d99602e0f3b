// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.LinkKey;

class LinkAgesTest {

    private static final long MAX_AGE = 10_000;
    private static final LinkKey ONE = LinkKey.linkKey(
            ConnectPoint.deviceConnectPoint("of:1/1"), ConnectPoint.deviceConnectPoint("of:2/1"));
    private static final LinkKey OTHER = LinkKey.linkKey(
            ConnectPoint.deviceConnectPoint("of:2/1"), ConnectPoint.deviceConnectPoint("of:1/1"));

    private final LinkAges ages = new LinkAges();

    @Test
    void silentLinkGoesOnceAndTheOtherStays() {
        ages.seen(ONE, 0);
        long goneAt = -1;
        for (long now = 0; now <= 3 * MAX_AGE; now += 1000) {
            ages.seen(OTHER, now);
            List<LinkKey> gone = ages.expire(now, MAX_AGE);
            if (!gone.isEmpty()) {
                assertEquals(List.of(ONE), gone);
                assertEquals(-1, goneAt);
                goneAt = now;
            }
        }
        assertEquals(MAX_AGE + 1000, goneAt);
    }

    @Test
    void forgottenLinkIsNotReportedAgain() {
        ages.seen(ONE, 0);
        ages.forget(ONE::equals);
        for (long now = 0; now <= 2 * MAX_AGE; now += 1000) {
            assertEquals(List.of(), ages.expire(now, MAX_AGE));
        }
    }

    @Test
    void standstillOfTheControllerIsNotTheLinksFault() {
        ages.seen(ONE, 0);
        ages.expire(0, MAX_AGE);
        assertEquals(List.of(), ages.expire(60_000, MAX_AGE));
        for (long now = 61_000; now <= 60_000 + MAX_AGE; now += 1000) {
            assertEquals(List.of(), ages.expire(now, MAX_AGE));
        }
        assertEquals(List.of(ONE), ages.expire(60_000 + MAX_AGE + 1000, MAX_AGE));
    }
}
