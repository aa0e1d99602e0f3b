// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.net.flow.CompletedBatchOperation;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchEntry;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchOperation;

/** A batch that was sent to a switch and waits for the reply to its barrier. */
@SuppressWarnings("deprecation") // providers still get batches in the old form
final class PendingBatch {

    private final FlowRuleBatchOperation batch;
    private final Set<FlowRule> failed = new HashSet<>();

    PendingBatch(FlowRuleBatchOperation batch) {
        this.batch = batch;
    }

    long id() {
        return batch.id();
    }

    /** Notes a rule that the switch will not have as the batch says. */
    synchronized void fail(FlowRule rule) {
        failed.add(rule);
    }

    /**
     * Notes the rules with this cookie as failed. If none has it, all count as failed, for the error was about one of
     * them.
     */
    synchronized void fail(long cookie) {
        Set<FlowRule> meant = rules().stream().filter(rule -> rule.id().value() == cookie).collect(Collectors.toSet());
        failed.addAll(meant.isEmpty() ? rules() : meant);
    }

    /** {@return the result, once the switch has answered the barrier} */
    synchronized CompletedBatchOperation result() {
        return new CompletedBatchOperation(failed.isEmpty(), Set.copyOf(failed), batch.deviceId());
    }

    /** {@return the result if no answer came: all rules count as failed} */
    CompletedBatchOperation lost() {
        return new CompletedBatchOperation(false, rules(), batch.deviceId());
    }

    private Set<FlowRule> rules() {
        return batch.getOperations().stream().map(FlowRuleBatchEntry::target).collect(Collectors.toSet());
    }
}
