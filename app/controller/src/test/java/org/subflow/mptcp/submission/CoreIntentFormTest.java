// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.util.KryoNamespace;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentData;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.Serializer;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.intent.IntentIds;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.MptcpIntentCompiler;
import org.subflow.mptcp.intent.SubflowRoute;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.topology.Nets;

/** Connections as intents that every node of a cluster understands. */
class CoreIntentFormTest {
    static {
        IntentIds.bind();
    }

    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ConnectionId ID = ConnectionId.of("62c2ac68");
    private static final FiveTuple TUPLE =
            FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1000, IpAddress.valueOf("10.0.0.2"), 5201);

    private boolean mayDecide = true;
    private final Submission submission = new Submission(ID);
    private final CoreIntentForm form = new CoreIntentForm(APP, new MptcpIntentCompiler(), () -> {
        if (!mayDecide) {
            throw new IllegalStateException("another node leads");
        }
    });

    @Test
    void aSubflowHasOneRulePerSwitchAndDirection() {
        FlowRuleIntent intent = submitted(1, 2);
        assertEquals(List.of(1, 1, 2, 2, 5, 5).stream().map(Nets::device).collect(Collectors.toList()),
                     intent.flowRules().stream().map(FlowRule::deviceId).sorted(Comparator.comparing(DeviceId::toString))
                             .collect(Collectors.toList()));
        for (FlowRule rule : intent.flowRules()) {
            assertEquals(RuleKind.SUBFLOW.priority(), rule.priority());
            assertEquals(APP.id(), rule.appId());
            assertTrue(rule.isPermanent());
        }
        assertEquals(MptcpIntent.keyOf(APP, ID), intent.key());
    }

    @Test
    void onlyTheNewestIntentTellsItsRevision() {
        FlowRuleIntent first = submitted(1, 2);
        FlowRuleIntent second = submitted(2, 3);
        assertEquals(2, submission.revisionOf(second));
        assertEquals(Submission.UNKNOWN, submission.revisionOf(first));
    }

    @Test
    void aNodeThatDoesNotLeadSubmitsNothing() {
        mayDecide = false;
        assertThrows(IllegalStateException.class, () -> submitted(1, 2));
    }

    /** As ONOS's intent store does, which registers ONOS's own classes only. */
    @Test
    void onosPassesItFromNodeToNode() {
        Serializer store = Serializer.using(KryoNamespace.newBuilder()
                .register(KryoNamespaces.API)
                .nextId(KryoNamespaces.BEGIN_USER_CUSTOM_ID)
                .register(IntentData.class)
                .build());
        FlowRuleIntent sent = submitted(1, 2);
        IntentData arrived = store.decode(store.encode(IntentData.submit(sent)));
        assertEquals(List.copyOf(sent.flowRules()), List.copyOf(((FlowRuleIntent) arrived.intent()).flowRules()));
        assertEquals(1, submission.revisionOf(arrived.intent()));
    }

    private FlowRuleIntent submitted(long revision, int middle) {
        Subflow subflow = Subflow.unrouted(TUPLE, true, false, Nets.edge(1), Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, middle), Nets.link(middle, 5)),
                           List.of(Nets.link(5, middle), Nets.link(middle, 1)), Nets.CAPACITY);
        submission.submit(new MptcpIntent(APP, ID, revision, List.of(SubflowRoute.of(subflow))));
        Intent intent = form.of(submission.newest());
        submission.given(intent);
        return (FlowRuleIntent) intent;
    }
}
