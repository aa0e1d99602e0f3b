// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.HostId;
import org.onosproject.net.intent.IntentServiceAdapter;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.intent.SubflowRoute;
import org.subflow.mptcp.rules.FakeFlowRules;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.topology.Nets;

/** The first connections have exact rules, later ones labels, and each keeps what it began with. */
class LabelledSubmissionsTest {
    private static final FiveTuple TUPLE =
            FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1000, IpAddress.valueOf("10.0.0.2"), 5201)
                    .between(HostId.hostId(MacAddress.valueOf(1)), HostId.hostId(MacAddress.valueOf(2)));
    private static final SubflowRoute ROUTE = route(TUPLE);

    private PathLabels setting = PathLabels.AUTO;
    private final Submissions submissions = submissions(() -> setting);

    private static Submissions submissions(Supplier<PathLabels> setting) {
        ApplicationId app = new DefaultApplicationId(7, "org.subflow.mptcp");
        OwnRules own = new OwnRules(new FakeFlowRules(), new KnownSwitches(2), app);
        return new ConnectionIntents(new IntentServiceAdapter(), own, new NoOutcome(), setting).submissions;
    }

    private static SubflowRoute route(FiveTuple tuple) {
        return SubflowRoute.of(Subflow.unrouted(tuple, true, false, Nets.edge(1), Nets.edge(2)).withRoute(
                SubflowState.ACTIVE, List.of(Nets.link(1, 2)), List.of(Nets.link(2, 1)), Nets.CAPACITY));
    }

    private boolean isLabelled(int connection) {
        return submissions.labelled(id(connection), ROUTE).forwardPath.isPresent();
    }

    private static ConnectionId id(int connection) {
        return ConnectionId.of("c" + connection);
    }

    private long labelled(int connections) {
        return IntStream.range(0, connections).filter(this::isLabelled).count();
    }

    @Test
    void automaticallyEachKeepsWhatItBeganWith() {
        assertEquals(100, labelled(PathLabels.MANY + 100));
        assertEquals(100, labelled(PathLabels.MANY + 100), "submitted once more");
        IntStream.range(0, PathLabels.MANY).forEach(one -> submissions.forget(id(one)));
        assertTrue(isLabelled(PathLabels.MANY), "it has labels, although few are left");
        assertTrue(isLabelled(0), "it comes again while there are many");
    }

    @Test
    void whenConnectionsHaveGoneNewOnesHaveExactRulesAgain() {
        labelled(PathLabels.MANY + 1);
        submissions.forget(id(3));
        submissions.forget(id(4));
        assertFalse(isLabelled(1000));
        assertTrue(isLabelled(1001));
        IntStream.range(0, 1002).forEach(one -> submissions.forget(id(one)));
        assertEquals(0, labelled(PathLabels.MANY));
    }

    @Test
    void otherwiseTheSettingHoldsForAllThatIsSubmitted() {
        labelled(10);
        setting = PathLabels.ON;
        assertEquals(10, labelled(10));
        setting = PathLabels.AUTO;
        assertEquals(10, labelled(10), "they keep their labels");
        setting = PathLabels.OFF;
        assertEquals(0, labelled(10));
    }

    @Test
    void aSubflowWhoseHostsNobodyKnowsHasNoLabel() {
        setting = PathLabels.ON;
        assertEquals(List.of(false, false), List.of(route(TUPLE.withoutHosts())).stream()
                .map(route -> submissions.labelled(id(0), route))
                .flatMap(route -> List.of(route.forwardPath.isPresent(), route.backwardPath.isPresent()).stream())
                .collect(Collectors.toList()));
    }
}
