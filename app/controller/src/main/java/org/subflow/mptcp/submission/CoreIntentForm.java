// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.PathIntent;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.MptcpIntentCompiler;
import org.subflow.mptcp.intent.SubflowPathIntent;

/**
 * The form of a connection's intent for a cluster: a {@link FlowRuleIntent}, compiled here, with the rules that ONOS makes of an
 * {@link MptcpIntent} on one node. ONOS's intent store passes its own intents from node to node, and no foreign ones. ONOS installs
 * the rules wherever the masters of the switches are, and of a changed intent only what differs, all at once. So when a
 * subflow moves, packets may come to a switch without a rule for them. They go the plain way.
 *
 * <p>Thread-safe.
 */
final class CoreIntentForm {
    private final ApplicationId appId;
    private final MptcpIntentCompiler compiler;
    private final Runnable mayDecide;

    /**
     * Makes the form.
     *
     * @param mayDecide throws an exception if this node may not submit; not null
     */
    CoreIntentForm(ApplicationId appId, MptcpIntentCompiler compiler, Runnable mayDecide) {
        this.appId = checkNotNull(appId, "appId");
        this.compiler = checkNotNull(compiler, "compiler");
        this.mayDecide = checkNotNull(mayDecide, "mayDecide");
    }

    /**
     * Returns what is submitted.
     *
     * @param wanted the connection with its routes; not null
     * @return the intent, with the same key
     * @throws IllegalStateException if this node may not submit
     */
    FlowRuleIntent of(MptcpIntent wanted) {
        mayDecide.run();
        Set<FlowRule> rules = new LinkedHashSet<>();
        compiler.compile(wanted, List.of()).forEach(part -> rules.addAll(((SubflowPathIntent) part).rules()));
        return new FlowRuleIntent(appId, wanted.key(), new ArrayList<>(rules), ImmutableSet.of(),
                                  PathIntent.ProtectionType.PRIMARY, wanted.resourceGroup());
    }
}
