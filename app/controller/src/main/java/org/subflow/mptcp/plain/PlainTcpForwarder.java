// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.onlab.packet.IpAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.intent.FlowEntries;
import org.subflow.mptcp.intent.SubflowPathIntents;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategies;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * Forwards plain TCP without the controller: exact rules in both directions on the path with the fewest links, with an idle
 * time-out.
 *
 * <p>The rules' priority is above the rule that sends TCP to the controller and below the rules of intents. When they time
 * out, the connection's next packet restores them. Nothing is reserved. A short memory prevents a second installation for
 * packets that overtake the rules. Thread-safe.
 */
public final class PlainTcpForwarder {
    /** Priority of the rules: above the rule that sends TCP to the controller, below intents (100). */
    public static final int PRIORITY = 60;

    private static final int MOMENT_MILLIS = 500;
    private static final int MOST_REMEMBERED = 20_000;

    private final FlowRuleService flowRules;
    private final ApplicationId appId;
    private final PathStrategy shortest = PathStrategies.named("shortest");
    private final Cache<FiveTuple, Boolean> recent = CacheBuilder.newBuilder()
            .expireAfterWrite(MOMENT_MILLIS, TimeUnit.MILLISECONDS)
            .maximumSize(MOST_REMEMBERED)
            .build();

    /**
     * Makes a forwarder.
     *
     * @param flowRules ONOS's flow rule service; not null
     * @param appId     the application that owns the rules; not null
     */
    public PlainTcpForwarder(FlowRuleService flowRules, ApplicationId appId) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
        this.appId = checkNotNull(appId, "appId");
    }

    /**
     * Installs the rules of a connection in both directions, unless that happened a moment ago.
     *
     * @param network     the present network
     * @param tuple       either direction of the connection
     * @param ingress     where its source is attached
     * @param egress      where its destination is attached
     * @param idleSeconds idle time-out of the rules
     * @return whether a path joins the hosts
     */
    public boolean forward(NetworkSnapshot network, FiveTuple tuple, ConnectPoint ingress, ConnectPoint egress,
                           int idleSeconds) {
        if (recent.getIfPresent(tuple) != null || recent.getIfPresent(tuple.reversed()) != null) {
            return true;
        }
        int from = network.node(ingress.deviceId());
        int to = network.node(egress.deviceId());
        if (from < 0 || to < 0) {
            return false;
        }
        List<Link> forward = List.of();
        List<Link> backward = List.of();
        if (from != to) {
            PathSet paths = shortest.findPaths(request(network, from, to));
            if (paths.isEmpty()) {
                return false;
            }
            forward = network.links(paths.get(0));
            backward = network.reverseLinks(paths.get(0));
        }
        recent.put(tuple, true);
        FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
        addRules(operations, tuple, ingress, forward, egress, idleSeconds);
        addRules(operations, tuple.reversed(), egress, backward, ingress, idleSeconds);
        flowRules.apply(operations.build());
        return true;
    }

    /**
     * Removes the rules of connections that have lost their way: a link on it, or the port of a host that has moved. The
     * next packet comes to the controller, and the connection gets rules on another way.
     *
     * @param network the present network; not null
     * @param port    where an address is attached now; not null
     */
    public void removeBroken(NetworkSnapshot network, Function<IpAddress, Optional<ConnectPoint>> port) {
        Map<FiveTuple, List<FlowRule>> rules = new HashMap<>();
        Set<FiveTuple> broken = new HashSet<>();
        for (FlowEntry entry : FlowEntries.of(flowRules, appId)) {
            Optional<FiveTuple> tuple = SubflowPathIntents.tuple(entry.selector());
            Optional<ConnectPoint> out = output(entry);
            if (entry.priority() != PRIORITY || !tuple.isPresent() || !out.isPresent()) {
                continue;
            }
            FiveTuple both = rules.containsKey(tuple.get().reversed()) ? tuple.get().reversed() : tuple.get();
            rules.computeIfAbsent(both, unused -> new ArrayList<>()).add(entry);
            boolean leadsOn = network.isBetweenSwitches(out.get())
                    || port.apply(tuple.get().destination()).filter(out.get()::equals).isPresent();
            if (!leadsOn) {
                broken.add(both);
            }
        }
        for (FiveTuple tuple : broken) {
            recent.invalidate(tuple);
            recent.invalidate(tuple.reversed());
            flowRules.removeFlowRules(rules.get(tuple).toArray(new FlowRule[0]));
        }
    }

    private static Optional<ConnectPoint> output(FlowEntry entry) {
        return entry.treatment().allInstructions().stream()
                .filter(OutputInstruction.class::isInstance)
                .map(instruction -> ((OutputInstruction) instruction).port())
                .filter(port -> !port.isLogical())
                .map(port -> new ConnectPoint(entry.deviceId(), port))
                .findFirst();
    }

    private static PathRequest request(NetworkSnapshot network, int from, int to) {
        // Capacities do not matter here: plain TCP may use any link.
        double[] any = new double[network.graph().arcCount()];
        Arrays.fill(any, 1);
        return PathRequest.on(network.graph()).from(from).to(to).k(1).residual(any).build();
    }

    private void addRules(FlowRuleOperations.Builder operations, FiveTuple tuple, ConnectPoint ingress,
                          List<Link> links, ConnectPoint egress, int idleSeconds) {
        ConnectPoint in = ingress;
        for (Link link : links) {
            operations.add(rule(tuple, in, link.src(), idleSeconds));
            in = link.dst();
        }
        operations.add(rule(tuple, in, egress, idleSeconds));
    }

    private FlowRule rule(FiveTuple tuple, ConnectPoint in, ConnectPoint out, int idleSeconds) {
        return DefaultFlowRule.builder()
                .forDevice(in.deviceId())
                .withSelector(DefaultTrafficSelector.builder(SubflowPathIntents.selector(tuple))
                                      .matchInPort(in.port())
                                      .build())
                .withTreatment(DefaultTrafficTreatment.builder().setOutput(out.port()).build())
                .withPriority(PRIORITY)
                .fromApp(appId)
                .makeTemporary(idleSeconds)
                .build();
    }
}
