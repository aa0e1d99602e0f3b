// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.Range;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.placement.JoinPolicy;

class PoliciesTest {
    @Test
    void withoutAPolicyEverythingIsManagedAsTheSettingsSay() {
        Policy policy = Policies.NONE.policyFor(tuple("10.0.0.1", "10.0.0.2", 80));

        assertEquals(Policy.STANDARD, policy);
        assertTrue(policy.isManaged());
        Terms terms = policy.terms(Settings.DEFAULTS.with(Settings.STRATEGY, "ecmp").with(Settings.SUBFLOWS, 5)
                .with(Settings.JOIN_POLICY, JoinPolicy.BLOCK));
        assertEquals(Optional.empty(), terms.policy());
        assertEquals("ecmp", terms.strategy());
        assertEquals(5, terms.subflows());
        assertEquals(JoinPolicy.BLOCK, terms.joinPolicy());
        assertEquals(1, terms.weight());
        assertEquals(Double.POSITIVE_INFINITY, terms.cap());
    }

    @Test
    void theFirstPolicyThatMatchesHolds() {
        Policies policies = Policies.of(List.of(
                policy("one", match("", "10.0.1.5/32", "")).weight(3).build(),
                policy("net", match("", "10.0.1.0/24", "")).weight(2).build(),
                policy("rest", PolicyMatch.ANY).managed(false).build()));

        assertEquals("one", policies.policyFor(tuple("10.0.1.5", "10.0.0.2", 80)).name());
        assertEquals("net", policies.policyFor(tuple("10.0.1.6", "10.0.0.2", 80)).name());
        assertEquals("rest", policies.policyFor(tuple("10.0.2.6", "10.0.1.5", 80)).name(), "clients are not servers");
        assertEquals("rest", policies.policyFor(tuple("2001:db8::1", "2001:db8::2", 80)).name());
    }

    @Test
    void hostsAreClientsOrServers() {
        PolicyMatch match = match("10.0.0.7/32", "", "");
        assertTrue(match.matches(tuple("10.0.0.7", "10.0.0.2", 80)));
        assertTrue(match.matches(tuple("10.0.0.2", "10.0.0.7", 80)));
        assertFalse(match.matches(tuple("10.0.0.2", "10.0.0.3", 80)));
    }

    @Test
    void whatIsSetMustAllMatch() {
        PolicyMatch match = match("", "10.0.1.0/24 10.0.2.0/24", "10.0.3.0/24", Range.closed(80, 90), Range.closed(443, 443));
        assertTrue(match.matches(tuple("10.0.2.1", "10.0.3.1", 90)));
        assertTrue(match.matches(tuple("10.0.1.1", "10.0.3.1", 443)));
        assertFalse(match.matches(tuple("10.0.2.1", "10.0.3.1", 91)));
        assertFalse(match.matches(tuple("10.0.2.1", "10.0.4.1", 80)));
        assertFalse(match.matches(tuple("10.0.3.1", "10.0.3.1", 80)));
    }

    @Test
    void whatAPolicySaysGoesBeforeTheSettings() {
        Terms terms = policy("bulk", PolicyMatch.ANY).with(Settings.STRATEGY, "shortest").with(Settings.SUBFLOWS, 2)
                .with(Settings.JOIN_POLICY, JoinPolicy.BACKUP)
                                       .weight(0.5).cap(4e6).build().terms(Settings.DEFAULTS);
        assertEquals(Optional.of("bulk"), terms.policy());
        assertEquals("shortest", terms.strategy());
        assertEquals(2, terms.subflows());
        assertEquals(JoinPolicy.BACKUP, terms.joinPolicy());
        assertEquals(0.5, terms.weight());
        assertEquals(4e6, terms.cap());
    }

    @Test
    void policiesThatDisagreeMustNotMatchTheSameEqually() {
        assertRefused("'a' and 'b' disagree", match("", "10.0.1.0/24", ""), match("", "10.0.1.0/24", ""));
        assertRefused("'a' and 'b' disagree", match("", "10.0.1.0/24 10.0.2.0/24", ""), match("", "10.0.2.0/24", ""));
        assertRefused("'a' and 'b' disagree", match("", "", "", Range.closed(80, 90)), match("", "", "", Range.closed(85, 95)));
        assertRefused("'a' and 'b' disagree", match("10.0.0.1/32", "", ""), match("10.0.0.1/32", "", ""));
        assertRefused("'a' and 'b' disagree", PolicyMatch.ANY, PolicyMatch.ANY);
    }

    @Test
    void aPolicyThatNeverHoldsIsRefused() {
        assertRefused("'b' never holds", match("", "10.0.0.0/8", ""), match("", "10.0.1.0/24", "10.9.0.0/16"));
        assertRefused("'b' never holds", PolicyMatch.ANY, match("", "", "", Range.closed(80, 80)));
        assertRefused("'b' never holds", match("", "", "", Range.closed(1, 100)), match("", "", "", Range.closed(80, 90)));
    }

    @Test
    void exceptionsAndCrossingPoliciesAreFine() {
        assertAccepted(match("", "10.0.1.0/24", ""), match("", "10.0.0.0/8", ""));
        assertAccepted(match("", "10.0.1.0/24", ""), match("", "", "10.0.2.0/24"));
        assertAccepted(match("", "10.0.1.0/24", "", Range.closed(80, 80)), match("", "10.0.1.0/24", ""));
        assertAccepted(match("", "10.0.1.0/24", "", Range.closed(80, 84)),
                       match("", "10.0.1.0/24", "", Range.closed(85, 90)));
        assertAccepted(match("", "0.0.0.0/0", ""), match("", "::/0", ""));
    }

    @Test
    void policiesThatAgreeMayOverlap() {
        Policies policies = Policies.of(List.of(policy("a", PolicyMatch.ANY).weight(2).build(),
                                                policy("b", PolicyMatch.ANY).weight(2).build()));
        assertEquals(2, policies.list().size());
    }

    @Test
    void namesAreUnique() {
        Policy policy = policy("a", PolicyMatch.ANY).build();
        assertTrue(message(() -> Policies.of(List.of(policy, policy))).contains("name 'a'"));
        assertThrows(IllegalArgumentException.class, () -> Policy.named(""));
    }

    @Test
    void numbersThatDoNotComputeAreRefused() {
        Policy.Builder policy = policy("a", PolicyMatch.ANY);
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertTrue(message(() -> policy.weight(bad)).contains("0.001 to 1000"));
            assertTrue(message(() -> policy.cap(bad)).contains("above 0"));
            assertTrue(message(() -> policy.refuseBelow(bad)).contains("above 0"));
        }
        assertTrue(message(() -> policy.with(Settings.SUBFLOWS, 0)).contains("1 to 64"));
        assertTrue(message(() -> policy.with(Settings.SUBFLOWS, 65)).contains("1 to 64"));
    }

    @Test
    void whatContradictsItselfIsRefused() {
        assertTrue(message(() -> policy("a", PolicyMatch.ANY).cap(1e6).refuseBelow(2e6).build()).contains("above the cap"));
        assertTrue(message(() -> policy("a", PolicyMatch.ANY).managed(false).weight(2).build()).contains("not managed"));
        assertTrue(message(() -> match("", "10.0.0.0/8", "2001:db8::/32")).contains("IP version"));
        assertTrue(message(() -> match("", "", "", Range.closed(0, 5))).contains("1 to 65535"));
        assertTrue(message(() -> match("", "", "", Range.atLeast(5))).contains("1 to 65535"));
    }

    private static void assertRefused(String hint, PolicyMatch first, PolicyMatch second) {
        String message = message(() -> disagreeing(first, second));
        assertTrue(message.contains(hint), message);
    }

    private static void assertAccepted(PolicyMatch first, PolicyMatch second) {
        assertEquals(2, disagreeing(first, second).list().size());
    }

    private static Policies disagreeing(PolicyMatch first, PolicyMatch second) {
        return Policies.of(List.of(policy("a", first).weight(2).build(), policy("b", second).weight(3).build()));
    }

    private static String message(Runnable bad) {
        return assertThrows(IllegalArgumentException.class, bad::run).getMessage();
    }

    private static Policy.Builder policy(String name, PolicyMatch match) {
        return Policy.named(name).match(match);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // List.of() only reads them
    private static PolicyMatch match(String hosts, String clients, String servers, Range<Integer>... ports) {
        return PolicyMatch.of(prefixes(hosts), prefixes(clients), prefixes(servers), List.of(ports));
    }

    private static List<IpPrefix> prefixes(String text) {
        return Stream.of(text.split(" ")).filter(part -> !part.isEmpty()).map(IpPrefix::valueOf)
                .collect(Collectors.toList());
    }

    private static FiveTuple tuple(String client, String server, int port) {
        return FiveTuple.of(IpAddress.valueOf(client), 40_000, IpAddress.valueOf(server), port);
    }
}
