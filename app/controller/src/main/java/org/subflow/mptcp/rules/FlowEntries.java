// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.FlowRuleStoreException;

/**
 * Reads flow entries from ONOS. While a switch has no master, ONOS throws instead of answering; the entries then count as
 * not known. Stateless.
 */
public final class FlowEntries {
    private FlowEntries() {
    }

    /** Returns the entries of a switch; none while it has no master. */
    public static List<FlowEntry> at(FlowRuleService flowRules, DeviceId device) {
        try {
            return ImmutableList.copyOf(flowRules.getFlowEntries(device));
        } catch (FlowRuleStoreException e) {
            return List.of();
        }
    }
}
