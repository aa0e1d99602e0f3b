// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.placement.JoinPolicy;

/** An ordered list of policies: the first match decides for a connection. Immutable. */
public final class Policies {
    /** No policy: all connections are managed with the settings. */
    public static final Policies NONE = new Policies(List.of());

    private final ImmutableList<Policy> list;

    private Policies(List<Policy> list) {
        this.list = ImmutableList.copyOf(list);
    }

    /**
     * Makes a list of policies.
     *
     * @param list the policies, in the order of their precedence; not null
     * @return the policies
     * @throws IllegalArgumentException if two policies have the same name; if two different ones match the same prefixes
     *                                  and ports equally; or if an earlier one hides a later one
     */
    public static Policies of(List<Policy> list) {
        for (int later = 1; later < list.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                checkPair(list.get(earlier), list.get(later));
            }
        }
        return new Policies(list);
    }

    private static void checkPair(Policy earlier, Policy later) {
        checkArgument(!earlier.name().equals(later.name()), "two policies have the name '%s'", later.name());
        if (earlier.treatsLike(later)) {
            return;
        }
        checkArgument(!earlier.match().collidesWith(later.match()),
                      "policies '%s' and '%s' disagree, but some hosts, clients, servers and ports match both equally: "
                              + "take what is common out of one of them", earlier.name(), later.name());
        checkArgument(!earlier.match().covers(later.match()),
                      "policy '%s' never holds, because '%s' before it matches all that it does: put it first",
                      later.name(), earlier.name());
    }

    /**
     * Returns the policy for a connection.
     *
     * @param tuple five-tuple of its first subflow, from client to server; not null
     * @return the first policy that matches, or {@link Policy#STANDARD}
     */
    public Policy policyFor(FiveTuple tuple) {
        return list.stream().filter(policy -> policy.match().matches(tuple)).findFirst().orElse(Policy.STANDARD);
    }

    /** Returns whether any policy may block an MP_JOIN. */
    public boolean mayBlockJoins() {
        return list.stream().anyMatch(policy -> policy.get(Settings.JOIN_POLICY).filter(JoinPolicy.BLOCK::equals).isPresent());
    }

    /** Returns the policies in their order. */
    public List<Policy> list() {
        return list;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Policies && ((Policies) other).list.equals(list);
    }

    @Override
    public int hashCode() {
        return list.hashCode();
    }

    @Override
    public String toString() {
        return list.toString();
    }
}
