// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.HostId;
import org.onosproject.net.provider.ProviderId;

class AddressBoundTest {
    private static final int MOST = 3;
    private static final HostId HOST = HostId.hostId("02:00:00:00:00:01/None");

    private final AddressBound bound = new AddressBound();
    private Set<IpAddress> known = Set.of();

    @Test
    void theOldestUnusedAddressMakesRoom() {
        tell("10.0.0.1", "10.0.0.2", "10.0.0.3");
        assertEquals(addresses("10.0.0.1", "10.0.0.2", "10.0.0.3"), known);
        use("10.0.0.1");
        tell("10.0.0.4");
        assertEquals(addresses("10.0.0.1", "10.0.0.3", "10.0.0.4"), known);
    }

    @Test
    void whatIsUsedOutlivesAStorm() {
        tell("10.0.0.1");
        use("10.0.0.1");
        for (int i = 0; i < 1000; i++) {
            tell("10.1." + i / 250 + "." + i % 250);
        }
        assertEquals(addresses("10.0.0.1", "10.1.3.248", "10.1.3.249"), known);
    }

    @Test
    void whatAHostIsNotKnownToHaveIsNotInUse() {
        use("10.0.0.1");
        tell("10.0.0.2");
        use("10.0.0.2");
        tell("10.0.0.1", "10.0.0.3", "10.0.0.4");
        assertEquals(addresses("10.0.0.2", "10.0.0.3", "10.0.0.4"), known);
    }

    @Test
    void ofThoseInUseTheLongestSilentOneMakesRoom() {
        tell("10.0.0.1", "10.0.0.2", "10.0.0.3");
        for (String address : new String[] {"10.0.0.2", "10.0.0.3", "10.0.0.1"}) {
            use(address);
        }
        tell("10.0.0.4");
        assertEquals(addresses("10.0.0.1", "10.0.0.3", "10.0.0.4"), known);
    }

    @Test
    void anAddressThatAnotherNodeHasLearnedCountsAsUsed() {
        known = addresses("10.0.0.1");
        tell("10.0.0.2");
        tell("10.0.0.3");
        tell("10.0.0.4");
        assertEquals(addresses("10.0.0.1", "10.0.0.3", "10.0.0.4"), known);
    }

    /** The host tells of addresses, one after the other. */
    private void tell(String... told) {
        for (String address : told) {
            known = new HashSet<>(bound.keep(HOST, known, addresses(address), MOST));
        }
    }

    private void use(String address) {
        bound.used(new DefaultHost(ProviderId.NONE, HOST, HOST.mac(), HOST.vlanId(), Set.of(), known, false), addresses(address));
    }

    private static Set<IpAddress> addresses(String... texts) {
        return Stream.of(texts).map(IpAddress::valueOf).collect(Collectors.toSet());
    }
}
