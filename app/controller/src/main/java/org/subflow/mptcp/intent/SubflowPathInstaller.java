// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.onosproject.net.Link;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.intent.IntentInstallCoordinator;
import org.onosproject.net.intent.IntentInstaller;
import org.onosproject.net.intent.IntentOperationContext;
import org.subflow.mptcp.rules.OwnRules;

/**
 * Writes the rules of a connection's {@link SubflowPathIntent}s, make before break (RFC 3209 for the idea). It writes what differs
 * from the rules that the connection has, in two stages. ONOS begins the second one when the switches have confirmed the first:
 *
 * <ol>
 * <li>rules where the connection has none; and all that differs where a subflow has ended, or cannot go on as before because its
 *     path is lost or its host has moved. Such a subflow need not wait for anything;
 * <li>the changed rules of subflows that leave a path that works. Packets take the new paths now.
 * </ol>
 *
 * <p>The other rules of a path that works and is left stay, because packets are on their way there, in the queues of its links.
 * They are removed some seconds later.
 *
 * <p>Stateless; ONOS calls it on several threads.
 */
public final class SubflowPathInstaller implements IntentInstaller<SubflowPathIntent> {
    private final OwnRules rules;
    private final IntentInstallCoordinator coordinator;
    private final Predicate<Link> isUp;

    /**
     * Makes an installer.
     *
     * @param coordinator gets the outcomes; not null
     * @param isUp        whether a link between switches works, as the application that moved the subflow knows: ONOS learns of a
     *                    lost link later than of its port; not null
     */
    public SubflowPathInstaller(OwnRules rules, IntentInstallCoordinator coordinator, Predicate<Link> isUp) {
        this.rules = checkNotNull(rules, "rules");
        this.coordinator = checkNotNull(coordinator, "coordinator");
        this.isUp = checkNotNull(isUp, "isUp");
    }

    @Override
    public void apply(IntentOperationContext<SubflowPathIntent> context) {
        FlowRuleOperations.Builder stages = stages(context.intentsToUninstall(), context.intentsToInstall());
        AtomicBoolean isTold = new AtomicBoolean();
        rules.apply(stages, isDone -> {
            if (isTold.getAndSet(true)) {
                return;
            }
            if (isDone) {
                coordinator.intentInstallSuccess(context);
            } else {
                coordinator.intentInstallFailed(context);
            }
        });
    }

    private FlowRuleOperations.Builder stages(List<SubflowPathIntent> before, List<SubflowPathIntent> after) {
        FlowRuleOperations.Builder stages = FlowRuleOperations.builder();
        if (before.isEmpty()) {
            // Most connections never change: nothing to compare.
            after.forEach(path -> path.rules().forEach(stages::add));
            return stages;
        }
        Map<FlowRule, FlowRule> old = byMatch(before);
        Map<FlowRule, FlowRule> wanted = byMatch(after);
        Map<TrafficSelector, SubflowPathIntent> now = new HashMap<>();
        after.forEach(path -> now.put(path.selector(), path));
        Set<TrafficSelector> passing = new HashSet<>();
        for (SubflowPathIntent path : before) {
            if (isPassing(path, now.get(path.selector()))) {
                passing.add(path.selector());
            } else {
                path.rules().stream().filter(rule -> !wanted.containsKey(rule)).forEach(stages::remove);
            }
        }
        List<FlowRule> last = new ArrayList<>();
        for (SubflowPathIntent path : after) {
            for (FlowRule rule : path.rules()) {
                FlowRule was = old.get(rule);
                if (was == null) {
                    stages.add(rule);
                } else if (!was.exactMatch(rule)) {
                    if (passing.contains(path.selector())) {
                        last.add(rule);
                    } else {
                        stages.modify(rule);
                    }
                }
            }
        }
        stages.newStage();
        last.forEach(stages::modify);
        return stages;
    }

    /** Returns the rules by themselves: two are equal if they match the same packets in the same switch. */
    private static Map<FlowRule, FlowRule> byMatch(List<SubflowPathIntent> paths) {
        Map<FlowRule, FlowRule> rules = new HashMap<>();
        paths.forEach(path -> path.rules().forEach(rule -> rules.put(rule, rule)));
        return rules;
    }

    /** Returns whether packets may still be on their way on a path although a rule leads their successors to another one. */
    private boolean isPassing(SubflowPathIntent path, SubflowPathIntent now) {
        return now != null && now.rules().get(0).equals(path.rules().get(0)) && path.links().stream().allMatch(isUp);
    }
}
