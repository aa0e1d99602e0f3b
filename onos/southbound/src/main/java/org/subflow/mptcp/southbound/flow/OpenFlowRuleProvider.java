// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import static org.onlab.util.Tools.groupedThreads;
import static org.subflow.mptcp.southbound.OpenFlowIds.dpid;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.onlab.util.Tools;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleProvider;
import org.onosproject.net.flow.FlowRuleProviderRegistry;
import org.onosproject.net.flow.FlowRuleProviderService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchEntry;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchOperation;
import org.onosproject.net.provider.AbstractProvider;
import org.onosproject.net.statistic.DefaultLoad;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.southbound.OpenFlowIds;
import org.subflow.mptcp.southbound.PollInterval;
import org.subflow.mptcp.southbound.StatisticsPoller;
import org.subflow.mptcp.southbound.codec.FlowModEncoder;
import org.subflow.mptcp.southbound.codec.UnsupportedRuleException;

/**
 * Puts ONOS's flow rules into switches and their counters into ONOS.
 *
 * <p>A batch is sent as flow-mods and a barrier with one transaction id; it is complete when the barrier is answered, so
 * a rule that ONOS calls added is in the switch.
 */
@Component(immediate = true, property = {
        OpenFlowRuleProvider.POLL_FREQUENCY + ":Integer=" + OpenFlowRuleProvider.POLL_FREQUENCY_DEFAULT,
        OpenFlowRuleProvider.MOST_POLLED + ":Integer=" + OpenFlowRuleProvider.MOST_POLLED_DEFAULT
    })
@SuppressWarnings("deprecation") // providers still get batches in the old form
public class OpenFlowRuleProvider extends AbstractProvider implements FlowRuleProvider {

    static final String POLL_FREQUENCY = "flowPollFrequency";
    static final int POLL_FREQUENCY_DEFAULT = 5;
    static final String MOST_POLLED = "mostEntriesPerSecond";
    static final int MOST_POLLED_DEFAULT = 5000;

    private static final Logger log = LoggerFactory.getLogger(OpenFlowRuleProvider.class);
    private static final Duration BATCH_TIMEOUT = Duration.ofSeconds(10);

    @Reference
    protected FlowRuleProviderRegistry providerRegistry;

    @Reference
    protected FlowRuleService flowRuleService;

    @Reference
    protected OpenFlowController controller;

    @Reference
    protected ComponentConfigService cfgService;

    /** Seconds between two polls of the flow counters, at least 1. */
    private int flowPollFrequency = POLL_FREQUENCY_DEFAULT;

    /** Flow entries polled in a second, of all switches. With more of them the counters are older, and no switch stands still. */
    private int mostEntriesPerSecond = MOST_POLLED_DEFAULT;

    private ScheduledExecutorService timer;
    private PendingBatches pending;
    private StatisticsPoller poller;
    private FlowMessageListener listener;
    private FlowRuleProviderService providerService;

    /** Makes the provider; the framework starts it. */
    public OpenFlowRuleProvider() {
        super(OpenFlowIds.PROVIDER);
    }

    @Activate
    protected void activate(ComponentContext context) {
        cfgService.registerProperties(getClass());
        providerService = providerRegistry.register(this);
        timer = Executors.newSingleThreadScheduledExecutor(groupedThreads("onos/of", "flow-batches", log));
        pending = new PendingBatches(timer, BATCH_TIMEOUT,
                batch -> providerService.batchOperationCompleted(batch.id(), batch.lost()));
        poller = new StatisticsPoller(controller, "flow-statistics", OpenFlowRuleProvider::statisticsRequest);
        listener = new FlowMessageListener(controller, providerService, this::storedRules, pending, poller);
        controller.addListener(listener);
        controller.addEventListener(listener);
        controller.addMessageListener(listener);
        modified(context);
        controller.getMasterSwitches().forEach(poller::poll);
        log.info("Started");
    }

    @Deactivate
    protected void deactivate() {
        cfgService.unregisterProperties(getClass(), false);
        controller.removeListener(listener);
        controller.removeEventListener(listener);
        controller.removeMessageListener(listener);
        poller.stop();
        timer.shutdownNow();
        providerRegistry.unregister(this);
        log.info("Stopped");
    }

    @Modified
    protected void modified(ComponentContext context) {
        flowPollFrequency = PollInterval.read(context.getProperties(), POLL_FREQUENCY, flowPollFrequency);
        mostEntriesPerSecond = Math.max(1, Tools.getIntegerProperty(context.getProperties(), MOST_POLLED, MOST_POLLED_DEFAULT));
        poller.setInterval(flowPollFrequency, mostEntriesPerSecond);
        DefaultLoad.setPollInterval(flowPollFrequency);
        log.info("Flow counters are polled every {} s, at most {} a second", flowPollFrequency, mostEntriesPerSecond);
    }

    @Override
    public void applyFlowRule(FlowRule... rules) {
        for (FlowRule rule : rules) {
            send(rule, FlowModEncoder::add);
        }
    }

    @Override
    public void removeFlowRule(FlowRule... rules) {
        for (FlowRule rule : rules) {
            send(rule, FlowModEncoder::remove);
        }
    }

    @Override
    public void executeBatch(FlowRuleBatchOperation batch) {
        Dpid dpid = dpid(batch.deviceId());
        OpenFlowSwitch sw = controller.getSwitch(dpid);
        PendingBatch waiting = new PendingBatch(batch);
        if (sw == null) {
            providerService.batchOperationCompleted(batch.id(), waiting.lost());
            return;
        }
        long xid = pending.add(dpid, waiting);
        List<OFMessage> messages = new ArrayList<>(flowMods(batch, waiting, sw, xid));
        messages.add(sw.factory().buildBarrierRequest().setXid(xid).build());
        sw.sendMsg(messages);
    }

    private List<OFFlowMod> flowMods(FlowRuleBatchOperation batch, PendingBatch waiting, OpenFlowSwitch sw, long xid) {
        FlowModEncoder encoder = new FlowModEncoder(sw.factory());
        List<OFFlowMod> flowMods = new ArrayList<>();
        for (FlowRuleBatchEntry entry : batch.getOperations()) {
            try {
                flowMods.add(encode(encoder, entry, xid));
            } catch (UnsupportedRuleException e) {
                log.warn("Rule {} for {} failed: {}", entry.target().id(), batch.deviceId(), e.getMessage());
                waiting.fail(entry.target());
            }
        }
        return flowMods;
    }

    private static OFFlowMod encode(FlowModEncoder encoder, FlowRuleBatchEntry entry, long xid)
            throws UnsupportedRuleException {
        switch (entry.operator()) {
            case ADD:
                return encoder.add(entry.target(), xid);
            case MODIFY:
                return encoder.modify(entry.target(), xid);
            case REMOVE:
                return encoder.remove(entry.target(), xid);
            default:
                throw new UnsupportedRuleException("unknown operation " + entry.operator());
        }
    }

    private void send(FlowRule rule, SingleMessage message) {
        OpenFlowSwitch sw = controller.getSwitch(dpid(rule.deviceId()));
        if (sw == null) {
            return;
        }
        try {
            sw.sendMsg(message.encode(new FlowModEncoder(sw.factory()), rule, pending.nextXid()));
        } catch (UnsupportedRuleException e) {
            log.warn("Rule {} cannot be sent to {}: {}", rule.id(), rule.deviceId(), e.getMessage());
        }
    }

    private Map<Long, FlowRule> storedRules(DeviceId deviceId) {
        Map<Long, FlowRule> rules = new HashMap<>();
        flowRuleService.getFlowEntries(deviceId).forEach(rule -> rules.put(rule.id().value(), rule));
        return rules;
    }

    private static OFMessage statisticsRequest(OpenFlowSwitch sw) {
        return sw.factory().buildFlowStatsRequest()
                .setMatch(sw.factory().matchWildcardAll())
                .setTableId(TableId.ALL)
                .setOutPort(OFPort.ANY)
                .setOutGroup(OFGroup.ANY)
                .build();
    }

    /** A way to say something about one rule. */
    @FunctionalInterface
    private interface SingleMessage {
        OFFlowMod encode(FlowModEncoder encoder, FlowRule rule, long xid) throws UnsupportedRuleException;
    }
}
