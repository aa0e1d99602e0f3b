// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.HostId;

class FiveTupleTest {
    private static final IpAddress ONE = IpAddress.valueOf("10.0.0.1");
    private static final IpAddress OTHER = IpAddress.valueOf("10.0.0.2");
    private static final HostId HOST = HostId.hostId("00:00:00:00:00:01/None");
    private static final HostId TAGGED = HostId.hostId("00:00:00:00:00:01/7");

    /** Each differs from the others in one part or more. */
    private static final List<FiveTuple> ALL = List.of(
            FiveTuple.of(ONE, 1, ONE, 1), FiveTuple.of(ONE, 2, ONE, 1), FiveTuple.of(ONE, 1, ONE, 2),
            FiveTuple.of(OTHER, 1, ONE, 1), FiveTuple.of(ONE, 1, OTHER, 1), FiveTuple.of(ONE, 1, ONE, 1).between(HOST, HostId.NONE),
            FiveTuple.of(ONE, 1, ONE, 1).between(TAGGED, HostId.NONE), FiveTuple.of(ONE, 1, ONE, 1).between(HostId.NONE, HOST),
            FiveTuple.of(ONE, 1, ONE, 1).between(HostId.NONE, TAGGED),
            FiveTuple.of(IpAddress.valueOf("fd00::1"), 1, IpAddress.valueOf("fd00::2"), 1));

    @Test
    void theOrderTellsApartWhatIsNotEqual() {
        for (FiveTuple one : ALL) {
            for (FiveTuple other : ALL) {
                assertEquals(one.equals(other), one.compareTo(other) == 0, () -> one + " and " + other);
                assertEquals(-Integer.signum(other.compareTo(one)), Integer.signum(one.compareTo(other)), () -> one + " and " + other);
            }
        }
    }
}
