// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.CompletedBatchOperation;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchEntry;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchOperation;
import org.onosproject.openflow.controller.Dpid;

class PendingBatchesTest {

    private static final Dpid S1 = new Dpid(1);
    private static final Dpid S2 = new Dpid(2);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final BlockingQueue<PendingBatch> lost = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void eachBatchEndsOnce() {
        PendingBatches pending = new PendingBatches(timer, LONG, lost::add);
        PendingBatch batch = batch(1, 100);
        long xid = pending.add(S1, batch);
        assertSame(batch, pending.finish(S1, xid).orElseThrow());
        assertTrue(pending.finish(S1, xid).isEmpty());
        pending.lose(S1);
        assertTrue(lost.isEmpty());
    }

    @Test
    void switchesAreKeptApart() {
        PendingBatches pending = new PendingBatches(timer, LONG, lost::add);
        long first = pending.add(S1, batch(1, 100));
        long second = pending.add(S2, batch(2, 200));
        assertNotEquals(first, second);
        assertTrue(pending.finish(S2, first).isEmpty());
        pending.lose(S1);
        assertEquals(List.of(1L), lost.stream().map(PendingBatch::id).collect(Collectors.toList()));
        assertTrue(pending.finish(S2, second).isPresent());
    }

    @Test
    void silentSwitchLosesTheBatch() throws Exception {
        PendingBatches pending = new PendingBatches(timer, Duration.ofMillis(10), lost::add);
        PendingBatch batch = batch(1, 100, 101);
        pending.add(S1, batch);
        assertSame(batch, lost.poll(30, TimeUnit.SECONDS));
        assertEquals(Set.of(100L, 101L), cookies(batch.lost().failedItems()));
        assertFalse(batch.lost().isSuccess());
    }

    @Test
    void batchWithoutErrorSucceeds() {
        CompletedBatchOperation result = batch(1, 100, 101).result();
        assertTrue(result.isSuccess());
        assertEquals(Set.of(), result.failedItems());
    }

    @Test
    void errorFailsTheRuleItNames() {
        PendingBatch batch = batch(1, 100, 101);
        batch.fail(101L);
        assertFalse(batch.result().isSuccess());
        assertEquals(Set.of(101L), cookies(batch.result().failedItems()));
    }

    @Test
    void errorThatNamesNoneFailsAll() {
        PendingBatch batch = batch(1, 100, 101);
        batch.fail(0L);
        assertEquals(Set.of(100L, 101L), cookies(batch.result().failedItems()));
    }

    @SuppressWarnings("deprecation") // as for PendingBatch
    private static PendingBatch batch(long id, long... cookies) {
        DeviceId device = DeviceId.deviceId("of:0000000000000001");
        List<FlowRuleBatchEntry> entries = java.util.Arrays.stream(cookies)
                .mapToObj(cookie -> DefaultFlowRule.builder().forDevice(device)
                        .withSelector(DefaultTrafficSelector.builder().matchMetadata(cookie).build())
                        .withPriority(1).makePermanent().withCookie(cookie).build())
                .map(rule -> new FlowRuleBatchEntry(FlowRuleBatchEntry.FlowRuleOperation.ADD, rule))
                .collect(Collectors.toList());
        return new PendingBatch(new FlowRuleBatchOperation(entries, device, id));
    }

    private static Set<Long> cookies(Set<FlowRule> rules) {
        return rules.stream().map(rule -> rule.id().value()).collect(Collectors.toSet());
    }
}
