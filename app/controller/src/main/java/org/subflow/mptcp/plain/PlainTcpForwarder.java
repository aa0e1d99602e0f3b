// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.Sets;
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
import java.util.function.LongSupplier;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.TupleMatch;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * Forwards plain TCP without the controller: exact rules in both directions on the path with the fewest links, with an idle
 * time-out.
 *
 * <p>When the rules ({@link RuleKind#PLAIN}) time out, the connection's next packet restores them. Nothing is reserved. Limits to delays do not hold: plain TCP goes where it would
 * go without this application. A short memory prevents a second installation for
 * packets that overtake the rules.
 *
 * <p>It can forward all connections of a client to one port of a server for a while, too: see {@link BusyServices}. Thread-safe.
 */
public final class PlainTcpForwarder {
    /** States of rules that are not on their way out. */
    private static final Set<FlowEntryState> STANDING =
            Sets.immutableEnumSet(FlowEntryState.PENDING_ADD, FlowEntryState.ADDED);
    private static final int MOMENT_MILLIS = 500;
    private static final int MOST_REMEMBERED = 20_000;

    private final OwnRules own;
    private final PathStrategy shortest = PathStrategies.named("shortest");
    private final Cache<FiveTuple, Boolean> recent;

    /**
     * Makes a forwarder.
     *
     * @param own        the application's rules; not null
     * @param clockNanos a monotonic clock, nanoseconds; not null
     */
    public PlainTcpForwarder(OwnRules own, LongSupplier clockNanos) {
        this.own = checkNotNull(own, "own");
        checkNotNull(clockNanos, "clockNanos");
        this.recent = CacheBuilder.newBuilder()
                .ticker(new Ticker() {
                    @Override
                    public long read() {
                        return clockNanos.getAsLong();
                    }
                })
                .expireAfterWrite(MOMENT_MILLIS, TimeUnit.MILLISECONDS)
                .maximumSize(MOST_REMEMBERED)
                .build();
    }

    /**
     * Installs the rules of a connection in both directions, unless that happened a moment ago.
     *
     * @param network     the present network
     * @param tuple       either direction of the connection
     * @param ingress     where its source is attached
     * @param egress      where its destination is attached
     * @param idleSeconds idle time-out of the rules
     * @param done        called on any thread when the switches have the rules, or when that failed; not null
     * @return whether a path joins the hosts
     */
    public boolean forward(NetworkSnapshot network, FiveTuple tuple, ConnectPoint ingress, ConnectPoint egress,
                           int idleSeconds, Runnable done) {
        if (recent.getIfPresent(tuple) != null || recent.getIfPresent(tuple.reversed()) != null) {
            return true;
        }
        Optional<List<FlowRule>> rules = rules(network, Match.connection(tuple, idleSeconds), ingress, egress);
        if (!rules.isPresent()) {
            return false;
        }
        recent.put(tuple, true);
        add(rules.get(), done);
        return true;
    }

    /**
     * Does the same for packets in this direction only. Nobody else's packets meet these rules, whoever sends the packets.
     *
     * @param network     the present network
     * @param tuple       the five-tuple
     * @param ingress     where its packets come in
     * @param egress      where its destination is attached
     * @param idleSeconds idle time-out of the rules
     */
    public void forwardOneWay(NetworkSnapshot network, FiveTuple tuple, ConnectPoint ingress, ConnectPoint egress,
                              int idleSeconds) {
        if (recent.asMap().putIfAbsent(tuple, true) == null) {
            rules(network, Match.oneWay(tuple, idleSeconds), ingress, egress).ifPresent(rules -> add(rules, () -> { }));
        }
    }

    /**
     * Installs rules for all connections of a client to one port of a server, in both directions, which go after a while. In
     * the switch where packets come in they go first: one that still finds a rule there finds them all.
     *
     * @param network the present network; not null
     * @param service the connections; not null
     * @param ingress where the client is attached; not null
     * @param egress  where the server is attached; not null
     * @param seconds how long the rules stay, whether they are used or not
     */
    public void forwardService(NetworkSnapshot network, ServiceMatch service, ConnectPoint ingress, ConnectPoint egress,
                               int seconds) {
        rules(network, Match.service(service, seconds), ingress, egress)
                .ifPresent(rules -> add(rules, () -> { }));
    }

    private void add(List<FlowRule> rules, Runnable done) {
        FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
        rules.forEach(operations::add);
        own.apply(operations, isDone -> done.run());
    }

    /**
     * Replaces the rules of connections that have lost their way: a link on it, or the port of a host that has moved. Where
     * there is another way, they get rules on it at once, as if a packet had asked for them. Else the rules just go.
     *
     * <p>ONOS may carry out concurrent operations in any order, and lists rules only once it works on them. If the network has
     * changed when {@code done} is called, this is to be called again: rules may have come after their removal.
     *
     * @param network     the present network; not null
     * @param port        where the source of a five-tuple is attached now; not null
     * @param idleSeconds idle time-out of the new rules
     * @param done        called on any thread when the switches have the rules of a connection, or when that failed; not null
     */
    public void replaceBroken(NetworkSnapshot network, Function<FiveTuple, Optional<ConnectPoint>> port, int idleSeconds,
                              Runnable done) {
        Map<FiveTuple, List<FlowRule>> rules = new HashMap<>();
        Set<FiveTuple> broken = new HashSet<>();
        for (FlowEntry entry : own.all(RuleKind.PLAIN)) {
            Optional<FiveTuple> tuple = TupleMatch.tuple(entry.selector());
            Optional<ConnectPoint> out = output(entry);
            if (!STANDING.contains(entry.state()) || !tuple.isPresent() || !out.isPresent()) {
                continue;
            }
            FiveTuple both = rules.containsKey(tuple.get().reversed()) ? tuple.get().reversed() : tuple.get();
            rules.computeIfAbsent(both, unused -> new ArrayList<>()).add(entry);
            boolean leadsOn = network.isBetweenSwitches(out.get())
                    || port.apply(tuple.get().reversed()).filter(out.get()::equals).isPresent();
            if (!leadsOn) {
                broken.add(both);
            }
        }
        for (FiveTuple tuple : broken) {
            recent.invalidate(tuple);
            recent.invalidate(tuple.reversed());
            FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
            rules.get(tuple).forEach(operations::remove);
            operations.newStage();
            port.apply(tuple)
                    .flatMap(in -> port.apply(tuple.reversed())
                            .flatMap(out -> rules(network, Match.connection(tuple, idleSeconds), in, out)))
                    .ifPresent(others -> others.forEach(operations::add));
            own.apply(operations, isDone -> done.run());
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

    /** Returns the rules of each direction that is matched; empty if no path joins the hosts. */
    private Optional<List<FlowRule>> rules(NetworkSnapshot network, Match match, ConnectPoint ingress, ConnectPoint egress) {
        int from = network.node(ingress.deviceId());
        int to = network.node(egress.deviceId());
        if (from < 0 || to < 0) {
            return Optional.empty();
        }
        List<Link> forward = List.of();
        List<Link> backward = List.of();
        if (from != to) {
            PathSet paths = shortest.findPaths(request(network, from, to));
            if (paths.isEmpty()) {
                return Optional.empty();
            }
            forward = network.links(paths.get(0));
            backward = network.reverseLinks(paths.get(0));
        }
        List<FlowRule> rules = new ArrayList<>();
        addRules(rules, match, match.there, ingress, forward, egress);
        if (match.back.isPresent()) {
            addRules(rules, match, match.back.get(), egress, backward, ingress);
        }
        return Optional.of(rules);
    }

    private void addRules(List<FlowRule> rules, Match match, TrafficSelector selector, ConnectPoint ingress, List<Link> links,
                          ConnectPoint egress) {
        ConnectPoint in = ingress;
        int seconds = match.seconds;
        for (Link link : links) {
            rules.add(rule(match, selector, in, link.src(), seconds));
            in = link.dst();
            seconds = match.secondsFurtherOn();
        }
        rules.add(rule(match, selector, in, egress, seconds));
    }

    private FlowRule rule(Match match, TrafficSelector selector, ConnectPoint in, ConnectPoint out, int seconds) {
        FlowRule.Builder rule = match.kind.builder(own.appId(), in.deviceId(),
                                                   DefaultTrafficSelector.builder(selector).matchInPort(in.port()).build(),
                                                   DefaultTrafficTreatment.builder().setOutput(out.port()).build());
        return (match.idle ? rule.makeTemporary(seconds) : rule.withHardTimeout(seconds)).build();
    }

    /** What rules match, there and perhaps back, and how long they stay. */
    private static final class Match {
        private final TrafficSelector there;
        private final Optional<TrafficSelector> back;
        private final RuleKind kind;
        private final int seconds;
        /** Whether it is an idle time-out: each packet begins it anew. */
        private final boolean idle;

        private Match(TrafficSelector there, Optional<TrafficSelector> back, RuleKind kind, int seconds, boolean idle) {
            this.there = there;
            this.back = back;
            this.kind = kind;
            this.seconds = seconds;
            this.idle = idle;
        }

        /** Switches count a hard time-out in whole seconds, each by a clock of its own. */
        private int secondsFurtherOn() {
            return idle ? seconds : seconds + 1;
        }

        private static Match connection(FiveTuple tuple, int idleSeconds) {
            return new Match(TupleMatch.of(tuple), Optional.of(TupleMatch.of(tuple.reversed())), RuleKind.PLAIN,
                             idleSeconds, true);
        }

        private static Match oneWay(FiveTuple tuple, int idleSeconds) {
            return new Match(TupleMatch.of(tuple), Optional.empty(), RuleKind.PLAIN, idleSeconds, true);
        }

        private static Match service(ServiceMatch service, int seconds) {
            return new Match(service.there(), Optional.of(service.back()), RuleKind.SERVICE, seconds, false);
        }
    }
}
