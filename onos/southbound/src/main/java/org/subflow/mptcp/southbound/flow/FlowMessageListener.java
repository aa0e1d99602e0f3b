// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import static org.subflow.mptcp.southbound.OpenFlowIds.deviceId;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleProviderService;
import org.onosproject.net.flow.FlowRuleStoreException;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowEventListener;
import org.onosproject.openflow.controller.OpenFlowMessageListener;
import org.onosproject.openflow.controller.OpenFlowSwitchListener;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.protocol.OFType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.southbound.FirstTable;
import org.subflow.mptcp.southbound.StatisticsPoller;
import org.subflow.mptcp.southbound.codec.FlowEntryDecoder;
import org.subflow.mptcp.southbound.codec.UnsupportedRuleException;

/**
 * Tells ONOS what switches say about flow rules: counters, removals, barriers, errors. Of the southbound's own table ONOS
 * hears nothing.
 */
final class FlowMessageListener implements OpenFlowSwitchListener, OpenFlowEventListener,
        OpenFlowMessageListener {

    private static final Logger log = LoggerFactory.getLogger(FlowMessageListener.class);

    private final OpenFlowController controller;
    private final FlowRuleProviderService core;
    private final Function<DeviceId, Map<Long, FlowRule>> storedRules;
    private final PendingBatches pending;
    private final StatisticsPoller poller;
    private final FlowStatsReader reader = new FlowStatsReader();
    private final RefusalLog refusals = new RefusalLog(System::nanoTime);

    /**
     * Makes a listener.
     *
     * @param core what is told
     * @param storedRules the rules that ONOS holds for a device, by cookie
     */
    FlowMessageListener(OpenFlowController controller, FlowRuleProviderService core,
                        Function<DeviceId, Map<Long, FlowRule>> storedRules,
                        PendingBatches pending, StatisticsPoller poller) {
        this.controller = controller;
        this.core = core;
        this.storedRules = storedRules;
        this.pending = pending;
        this.poller = poller;
    }

    @Override
    public void handleMessage(Dpid dpid, OFMessage message) {
        switch (message.getType()) {
            case STATS_REPLY:
                if (message instanceof OFFlowStatsReply) {
                    List<OFFlowStatsEntry> reported = ((OFFlowStatsReply) message).getEntries();
                    poller.replied(dpid, reported.size());
                    pushCounters(deviceId(dpid), reported);
                }
                break;
            case FLOW_REMOVED:
                pushRemoval(deviceId(dpid), (OFFlowRemoved) message);
                break;
            case BARRIER_REPLY:
                pending.finish(dpid, message.getXid())
                        .ifPresent(batch -> core.batchOperationCompleted(batch.id(), batch.result()));
                break;
            default:
                break;
        }
    }

    /**
     * Notes errors as they come. ONOS's controller hands messages over on other threads, those of errors apart from those of
     * barrier replies: there, a batch would often end as good before its errors are known.
     */
    @Override
    public void handleIncomingMessage(Dpid dpid, OFMessage message) {
        if (message.getType() == OFType.ERROR) {
            noteError(dpid, (OFErrorMsg) message);
        }
    }

    @Override
    public void handleOutgoingMessage(Dpid dpid, List<OFMessage> messages) {
        // Batches note what they send.
    }

    private void pushCounters(DeviceId device, List<OFFlowStatsEntry> reported) {
        try {
            core.pushFlowMetrics(device, reader.read(device, reported, storedRules.apply(device)));
        } catch (FlowRuleStoreException e) {
            // ONOS's store has no rules of a switch that has no master just now. The next reply comes with the next poll.
            log.debug("The counters of {} are not told: {}", device, e.getMessage());
        }
    }

    private void pushRemoval(DeviceId device, OFFlowRemoved removed) {
        if (removed.getTableId().equals(FirstTable.ID)) {
            return;
        }
        try {
            core.flowRemoved(FlowEntryDecoder.decode(device, removed));
        } catch (UnsupportedRuleException e) {
            // The core sees at the next counters that the rule is gone.
            log.debug("The removed rule {} of {} is not understood: {}", removed.getCookie(), device, e.getMessage());
        }
    }

    private void noteError(Dpid dpid, OFErrorMsg error) {
        Optional<PendingBatch> batch = pending.find(dpid, error.getXid());
        OptionalLong cookie = FlowModErrors.cookie(error);
        if (batch.isPresent()) {
            refusals.refused(dpid, error);
            batch.get().fail(cookie.orElse(0));
        } else if (cookie.isPresent() && FirstTable.isOwn(cookie.getAsLong())) {
            log.debug("{} refused a rule of the southbound's own table: {}", dpid, error);
        } else if (cookie.isPresent()) {
            refusals.refused(dpid, error);
        } else {
            log.debug("{} sent an error: {}", dpid, error);
        }
    }

    @Override
    public void roleChangedToMaster(Dpid dpid) {
        // A switch that comes back with an empty table gets its rules again as soon as the core sees that.
        poller.poll(controller.getSwitch(dpid));
    }

    @Override
    public void switchRemoved(Dpid dpid) {
        pending.lose(dpid);
        reader.forget(deviceId(dpid));
    }

    @Override
    public void switchAdded(Dpid dpid) {
        // Rules are looked at once this node is the switch's master.
    }

    @Override
    public void switchChanged(Dpid dpid) {
        // Concerns ports.
    }

    @Override
    public void portChanged(Dpid dpid, OFPortStatus status) {
        // Rules stay: what they mean while a port is down is for their owners to decide.
    }

    @Override
    public void receivedRoleReply(Dpid dpid, RoleState requested, RoleState response) {
        // See roleChangedToMaster.
    }
}
