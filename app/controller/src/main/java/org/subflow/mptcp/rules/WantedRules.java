// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;

/** What is wanted of one kind of rules at some moment. Immutable. */
public final class WantedRules {
    private final Map<DeviceId, List<FlowRule>> rules;
    private final Predicate<FlowRule> mayStay;

    /**
     * Notes what is wanted.
     *
     * @param rules   rules that the switches should have, if these are up; not null
     * @param mayStay whether another rule may stay, as part of a change that is not complete; not null
     */
    public WantedRules(Stream<FlowRule> rules, Predicate<FlowRule> mayStay) {
        this.rules = rules.collect(Collectors.groupingBy(FlowRule::deviceId));
        this.mayStay = checkNotNull(mayStay, "mayStay");
    }

    /** Returns those of a switch, each by itself: two rules are equal if they match the same packets; new. */
    Map<FlowRule, FlowRule> at(DeviceId device) {
        return rules.getOrDefault(device, List.of()).stream()
                .collect(Collectors.toMap(Function.identity(), Function.identity(), (one, same) -> one));
    }

    /** Returns whether a rule may stay that is not among those. */
    boolean mayStay(FlowRule rule) {
        return mayStay.test(rule);
    }
}
