// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.forward;

import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.FlowRuleStoreException;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the rules that lead into a link that is gone, or to or from a place that a host has left.
 *
 * <p>It removes the rules for such a destination from every switch. Otherwise rules elsewhere would still send packets to
 * a switch that cannot forward them. Each packet also extends its rules, so a host that keeps sending would never get an
 * answer.
 */
final class StaleRules {

    private static final Logger log = LoggerFactory.getLogger(StaleRules.class);

    private final FlowRuleService flowRuleService;
    private final DeviceService deviceService;
    private final ApplicationId applicationId;

    StaleRules(FlowRuleService flowRuleService, DeviceService deviceService, ApplicationId applicationId) {
        this.deviceService = deviceService;
        this.flowRuleService = flowRuleService;
        this.applicationId = applicationId;
    }

    /** Removes the rules out of a port, and the rules to the same destinations on other switches. */
    void removeAllAlong(ConnectPoint port) {
        // The rules of all switches are many; those of one tell whether any is concerned.
        Set<MacAddress> lost = ownRules(port.deviceId())
                .filter(rule -> leadsOut(rule, port))
                .map(rule -> address(rule, Criterion.Type.ETH_DST))
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        if (!lost.isEmpty()) {
            removeAll(rule -> lost.contains(address(rule, Criterion.Type.ETH_DST)));
        }
    }

    /**
     * Removes the rules to a host and those from it. If it comes back to its old port, the latter would carry its packets past the
     * controller, which so would not learn where it is.
     */
    void removeAllOf(MacAddress host) {
        removeAll(rule -> host.equals(address(rule, Criterion.Type.ETH_DST)) || host.equals(address(rule, Criterion.Type.ETH_SRC)));
    }

    private void removeAll(Predicate<FlowRule> stale) {
        flowRuleService.removeFlowRules(StreamSupport.stream(deviceService.getDevices().spliterator(), false)
                .flatMap(device -> ownRules(device.id()))
                .filter(stale)
                .toArray(FlowRule[]::new));
    }

    /** Returns the forwarder's rules in a switch. ONOS knows none, and throws, while the switch has no master. */
    private Stream<FlowEntry> ownRules(DeviceId device) {
        try {
            return StreamSupport.stream(flowRuleService.getFlowEntries(device).spliterator(), false)
                    .filter(rule -> rule.appId() == applicationId.id());
        } catch (FlowRuleStoreException e) {
            log.debug("Rules of {} are not looked at: {}", device, e.getMessage());
            return Stream.empty();
        }
    }

    private static boolean leadsOut(FlowEntry rule, ConnectPoint port) {
        return rule.treatment().allInstructions().stream()
                .anyMatch(instruction -> instruction.type() == Instruction.Type.OUTPUT
                        && ((OutputInstruction) instruction).port().equals(port.port()));
    }

    private static MacAddress address(FlowRule rule, Criterion.Type end) {
        EthCriterion criterion = (EthCriterion) rule.selector().getCriterion(end);
        return criterion == null ? null : criterion.mac();
    }
}
