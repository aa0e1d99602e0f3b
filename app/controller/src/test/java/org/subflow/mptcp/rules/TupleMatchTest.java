// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.HostId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;
import org.subflow.mptcp.api.FiveTuple;

/** What a rule of a subflow matches, and how it is found again. */
class TupleMatchTest {
    private static final FiveTuple TUPLE = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1000, IpAddress.valueOf("10.0.0.2"), 80);

    @Property
    void aRuleNamesItsFiveTupleWithTheHostsOfItsFrames(@ForAll @IntRange(min = 1, max = 65535) int from,
            @ForAll @IntRange(min = 1, max = 65535) int to, @ForAll @IntRange(max = 4094) int vlan, @ForAll boolean isTagged,
            @ForAll boolean isIpv6) {
        VlanId tag = isTagged ? VlanId.vlanId((short) vlan) : VlanId.NONE;
        FiveTuple addresses = isIpv6
                ? FiveTuple.of(IpAddress.valueOf("fd00::1"), from, IpAddress.valueOf("fd00::2"), to) : TUPLE.withSourcePort(from);
        FiveTuple tuple = addresses.between(HostId.hostId(MacAddress.valueOf(from), tag), HostId.hostId(MacAddress.valueOf(to), tag));
        assertEquals(Optional.of(tuple), TupleMatch.tuple(TupleMatch.of(tuple)));
    }

    @Test
    void anotherLegAndAnotherVlanAreNotMatched() {
        FiveTuple leg = TUPLE.between(host(1, VlanId.NONE), host(8, VlanId.NONE));
        assertNotEquals(TupleMatch.of(leg), TupleMatch.of(
                TUPLE.between(host(8, VlanId.NONE), host(2, VlanId.NONE))));
        VlanId tag = VlanId.vlanId((short) 10);
        assertNotEquals(TupleMatch.of(leg), TupleMatch.of(TUPLE.between(host(1, tag), host(8, tag))));
    }

    @Test
    void stockForwardingDoesNotTakeThemForRulesOfItsOwn() {
        // After the loss of a link it removes whatever rules match both MAC addresses of a pair exactly.
        TrafficSelector selector = TupleMatch.of(TUPLE.between(host(1, VlanId.NONE), host(8, VlanId.NONE)));
        assertFalse(selector.getCriterion(Criterion.Type.ETH_SRC) != null && selector.getCriterion(Criterion.Type.ETH_DST) != null);
    }

    @Test
    void rulesOfAnEarlierDraftMatchNoHostsOrTheExactSource() {
        assertEquals(Optional.of(TUPLE), TupleMatch.tuple(TupleMatch.of(TUPLE)));
        FiveTuple leg = TUPLE.between(host(1, VlanId.NONE), host(8, VlanId.NONE));
        TrafficSelector exact = DefaultTrafficSelector.builder(TupleMatch.of(TUPLE))
                .matchEthSrc(leg.sourceHost().mac())
                .matchEthDst(leg.destinationHost().mac())
                .matchVlanId(VlanId.NONE)
                .build();
        assertEquals(Optional.of(leg), TupleMatch.tuple(exact));
    }

    private static HostId host(int number, VlanId vlan) {
        return HostId.hostId(MacAddress.valueOf(number), vlan);
    }
}
