// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchEntry;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchOperation;
import org.projectfloodlight.openflow.protocol.OFBarrierRequest;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFailedCode;
import org.projectfloodlight.openflow.protocol.OFFlowModifyStrict;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFErrorCauseData;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.subflow.mptcp.southbound.OpenFlowIds;
import org.subflow.mptcp.southbound.RecordingSwitch;

/** Rules on their way into a switch: what is sent, and how batches end. */
@SuppressWarnings("deprecation") // providers still get batches in the old form
class OpenFlowRuleProviderTest extends FlowScenario {
    private static final FlowRule ONE = rule(DEVICE, 1, 2);
    private static final FlowRule OTHER = rule(DEVICE, 3, 4);
    private static final long BATCH = 42;

    @Test
    void singleRulesAreAddedAndRemoved() {
        s1.sent.clear();
        provider.applyFlowRule(ONE, OTHER);
        provider.removeFlowRule(ONE);
        assertInstanceOf(OFFlowAdd.class, s1.sent.get(0));
        assertInstanceOf(OFFlowDeleteStrict.class, s1.sent.get(2));
        assertEquals(List.of(ONE.id().value(), OTHER.id().value(), ONE.id().value()), s1.sent.stream()
                .map(message -> ((OFFlowMod) message).getCookie().getValue()).collect(Collectors.toList()));
    }

    @Test
    void rulesThatCannotBeSentAreLeftOut() {
        s1.sent.clear();
        provider.applyFlowRule(rule(UNKNOWN, 1, 2), unsupported(), ONE);
        assertEquals(ONE.id().value(), ((OFFlowMod) s1.onlyMessage()).getCookie().getValue());
    }

    @Test
    void aBatchIsItsRulesAndABarrierOfOneTransaction() {
        s1.sent.clear();
        provider.executeBatch(batch(DEVICE, add(ONE), new FlowRuleBatchEntry(FlowRuleBatchEntry.FlowRuleOperation.MODIFY, OTHER),
                new FlowRuleBatchEntry(FlowRuleBatchEntry.FlowRuleOperation.REMOVE, rule(DEVICE, 5, 6))));
        assertInstanceOf(OFFlowAdd.class, s1.sent.get(0));
        assertInstanceOf(OFFlowModifyStrict.class, s1.sent.get(1));
        assertInstanceOf(OFFlowDeleteStrict.class, s1.sent.get(2));
        assertInstanceOf(OFBarrierRequest.class, s1.sent.get(3));
        assertEquals(1, s1.sent.stream().map(OFMessage::getXid).distinct().count());
        assertTrue(core.completed.isEmpty(), "nothing is known yet");
    }

    @Test
    void aBatchSucceedsWhenTheSwitchAnswersTheBarrier() {
        long xid = send(ONE);
        receive(RecordingSwitch.FACTORY.buildBarrierReply().setXid(xid).build());
        assertTrue(core.completed.get(BATCH).isSuccess());
        assertEquals(DEVICE, core.completed.get(BATCH).deviceId());
        receive(RecordingSwitch.FACTORY.buildBarrierReply().setXid(xid).build());
    }

    @Test
    void barriersOfOthersEndNoBatch() {
        long xid = send(ONE);
        receive(RecordingSwitch.FACTORY.buildBarrierReply().setXid(xid + 1).build());
        assertTrue(core.completed.isEmpty());
    }

    @Test
    void aRefusedRuleFails() {
        controller.errorsAreLate = true;
        long xid = send(ONE, OTHER);
        receive(refusal(xid, s1.sent.get(1)));
        receive(RecordingSwitch.FACTORY.buildBarrierReply().setXid(xid).build());
        assertFalse(core.completed.get(BATCH).isSuccess());
        assertEquals(Set.of(OTHER.id().value()), cookies(core.completed.get(BATCH)));
    }

    @Test
    void refusalsThatBelongToNoBatchChangeNothing() {
        long xid = send(ONE);
        receive(refusal(xid + 1, s1.sent.get(0)));
        receive(refusal(xid + 1, RecordingSwitch.FACTORY.buildEchoRequest().build()));
        receive(RecordingSwitch.FACTORY.buildBarrierReply().setXid(xid).build());
        assertTrue(core.completed.get(BATCH).isSuccess());
    }

    @Test
    void aRuleThatOpenFlowCannotExpressFailsAlone() {
        FlowRule impossible = unsupported();
        long xid = send(impossible, ONE);
        assertEquals(2, s1.sent.size(), "the other rule and the barrier");
        receive(RecordingSwitch.FACTORY.buildBarrierReply().setXid(xid).build());
        assertEquals(Set.of(impossible.id().value()), cookies(core.completed.get(BATCH)));
    }

    @Test
    void aBatchForASwitchThatIsGoneFailsAtOnce() {
        FlowRule there = rule(UNKNOWN, 1, 2);
        provider.executeBatch(batch(UNKNOWN, add(there)));
        assertEquals(Set.of(there.id().value()), cookies(core.completed.get(BATCH)));
    }

    @Test
    void aBatchFailsAsAWholeWithItsSwitch() {
        send(ONE, OTHER);
        controller.switchListeners.forEach(listener -> listener.switchRemoved(S1));
        assertEquals(Set.of(ONE.id().value(), OTHER.id().value()), cookies(core.completed.get(BATCH)));
    }

    @Test
    void rulesAreAskedForAtOnceAndAtTheConfiguredInterval() throws InterruptedException {
        OFFlowStatsRequest first = (OFFlowStatsRequest) s1.next();
        assertEquals(TableId.ALL, first.getTableId());
        assertEquals(OFPort.ANY, first.getOutPort());
        provider.modified(every("1"));
        assertInstanceOf(OFFlowStatsRequest.class, s1.next());
    }

    @Test
    void itRegistersUnderTheIdOfAllOpenFlowProvidersAndGoesAgain() {
        assertEquals(OpenFlowIds.PROVIDER, provider.id());
        assertEquals(Set.of(provider), core.registered);
        stop();
        assertEquals(Set.of(), core.registered);
        assertEquals(Set.of(), controller.switchListeners);
        assertEquals(Set.of(), controller.eventListeners);
        assertEquals(Set.of(), controller.messageListeners);
    }

    /** Sends a batch of rules to add, and returns its transaction id. */
    private long send(FlowRule... rules) {
        s1.sent.clear();
        FlowRuleBatchEntry[] entries = new FlowRuleBatchEntry[rules.length];
        for (int i = 0; i < rules.length; i++) {
            entries[i] = add(rules[i]);
        }
        provider.executeBatch(batch(DEVICE, entries));
        return s1.sent.get(s1.sent.size() - 1).getXid();
    }

    private static FlowRuleBatchEntry add(FlowRule rule) {
        return new FlowRuleBatchEntry(FlowRuleBatchEntry.FlowRuleOperation.ADD, rule);
    }

    private static FlowRuleBatchOperation batch(DeviceId device, FlowRuleBatchEntry... entries) {
        return new FlowRuleBatchOperation(List.of(entries), device, BATCH);
    }

    private static OFErrorMsg refusal(long xid, OFMessage refused) {
        ByteBuf wire = Unpooled.buffer();
        refused.writeTo(wire);
        byte[] bytes = new byte[Math.min(64, wire.readableBytes())];
        wire.readBytes(bytes);
        return RecordingSwitch.FACTORY.errorMsgs().buildFlowModFailedErrorMsg()
                .setXid(xid)
                .setCode(OFFlowModFailedCode.TABLE_FULL)
                .setData(OFErrorCauseData.of(bytes, OFVersion.OF_13))
                .build();
    }
}
