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
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
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
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.TupleMatch;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Forwards plain TCP without the controller: exact rules in both directions on the path with the fewest links, with an idle
 * time-out, and on other ways when links or hosts change.
 *
 * <p>When the rules ({@link RuleKind#PLAIN}) time out, the connection's next packet restores them. Nothing is reserved. Limits to
 * delays do not hold: plain TCP goes where it would go without this application. A short memory prevents a second installation for
 * packets that overtake the rules.
 *
 * <p>It can forward all connections of a client to one port of a server for a while, too: see {@link BusyServices}. Thread-safe.
 */
public final class PlainTraffic {
    /** States of rules that are not on their way out. */
    private static final Set<FlowEntryState> STANDING =
            Sets.immutableEnumSet(FlowEntryState.PENDING_ADD, FlowEntryState.ADDED);
    private static final int MOMENT_MILLIS = 500;
    private static final int MOST_REMEMBERED = 20_000;

    private final OwnRules own;
    private final NetworkView network;
    private final Attachments attachments;
    private final SettingsService settings;
    private final Runnable replacement;
    private final PathStrategy shortest = PathStrategies.named("shortest");
    private final Cache<FiveTuple, Boolean> recent;

    /**
     * Makes it; it installs nothing by itself.
     *
     * @param own        the application's rules; not null
     * @param soon       makes a trigger of the task that replaces rules, which looks at all rules of the application. If it fires
     *                   several times while the task waits, the task runs once; not null
     * @param clockNanos a monotonic clock, nanoseconds; not null
     */
    public PlainTraffic(OwnRules own, NetworkView network, Attachments attachments, SettingsService settings,
                        UnaryOperator<Runnable> soon, LongSupplier clockNanos) {
        this.own = checkNotNull(own, "own");
        this.network = checkNotNull(network, "network");
        this.attachments = checkNotNull(attachments, "attachments");
        this.settings = checkNotNull(settings, "settings");
        this.replacement = soon.apply(this::replaceBroken);
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
     * Installs the rules of a connection in both directions, unless that happened a moment ago, or no path joins the hosts.
     *
     * @param tuple       either direction of the connection; not null
     * @param source      where its source is attached; not null
     * @param destination where its destination is attached; not null
     */
    public void forward(FiveTuple tuple, ConnectPoint source, ConnectPoint destination) {
        if (recent.getIfPresent(tuple) != null || recent.getIfPresent(tuple.reversed()) != null) {
            return;
        }
        NetworkSnapshot now = network.snapshot();
        rules(now, Match.connection(tuple, idleSeconds()), source, destination).ifPresent(rules -> {
            recent.put(tuple, true);
            add(rules, () -> followChanges(now));
        });
    }

    /**
     * Does the same for packets in this direction only, from where they come in. Nobody else's packets meet these rules, whoever
     * sends the packets.
     */
    public void forwardFrom(ConnectPoint port, FiveTuple tuple) {
        attachments.port(tuple.reversed()).filter(destination -> recent.asMap().putIfAbsent(tuple, true) == null)
                .flatMap(destination -> rules(network.snapshot(), Match.oneWay(tuple, idleSeconds()), port, destination))
                .ifPresent(rules -> add(rules, () -> { }));
    }

    /**
     * Lets all packets of a busy service go between these ports for a while, in both directions. In the switch where packets come
     * in the rules have a hard time-out. In the others they go when nothing comes: ONOS takes rules with a hard time-out for those of
     * before if they are added again, and removes them too early.
     *
     * @param initiators  one of the service's connections, as its client sends it; not null
     * @param source      where the client is attached; not null
     * @param destination where the server is attached; not null
     * @param seconds     how long, at least 1
     */
    public void forwardService(FiveTuple initiators, ConnectPoint source, ConnectPoint destination, int seconds) {
        ServiceMatch service = new ServiceMatch(initiators, attachments::isOwn);
        rules(network.snapshot(), Match.service(service, seconds, idleSeconds()), source, destination)
                .ifPresent(rules -> add(rules, () -> { }));
    }

    private int idleSeconds() {
        return settings.get(Settings.PLAIN_IDLE_SECONDS);
    }

    private void add(List<FlowRule> rules, Runnable done) {
        FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
        rules.forEach(operations::add);
        own.apply(operations, isDone -> done.run());
    }

    /** Looks after rules that were made for a network which may have changed until the switches had them. */
    private void followChanges(NetworkSnapshot before) {
        if (network.snapshot() != before) {
            replaceBrokenRules();
        }
    }

    /**
     * Has the rules of connections replaced that have lost their way: a link on it, or the port of a host that has moved. Where
     * there is another way, they get rules on it, as if a packet had asked for them. Else the rules just go. To be called when links
     * or hosts change.
     */
    public void replaceBrokenRules() {
        replacement.run();
    }

    /**
     * ONOS may carry out concurrent operations in any order, and lists rules only once it works on them. So where the network has
     * changed again once the switches have answered, rules may have come after their removal, and all are looked at once more.
     */
    private void replaceBroken() {
        NetworkSnapshot now = network.snapshot();
        Map<FiveTuple, List<FlowRule>> rules = new HashMap<>();
        Set<FiveTuple> broken = new HashSet<>();
        List<FlowEntry> standing = own.all().stream().filter(entry -> STANDING.contains(entry.state())).collect(Collectors.toList());
        removeBrokenServices(now, standing.stream().filter(RuleKind.SERVICE::includes).collect(Collectors.toList()));
        for (FlowEntry entry : standing) {
            Optional<FiveTuple> tuple = TupleMatch.tuple(entry.selector());
            Optional<ConnectPoint> out = output(entry);
            if (!RuleKind.PLAIN.includes(entry) || !tuple.isPresent() || !out.isPresent()) {
                continue;
            }
            FiveTuple both = rules.containsKey(tuple.get().reversed()) ? tuple.get().reversed() : tuple.get();
            rules.computeIfAbsent(both, unused -> new ArrayList<>()).add(entry);
            boolean leadsOn = now.isBetweenSwitches(out.get())
                    || attachments.port(tuple.get().reversed()).filter(out.get()::equals).isPresent();
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
            attachments.port(tuple)
                    .flatMap(in -> attachments.port(tuple.reversed())
                            .flatMap(out -> rules(now, Match.connection(tuple, idleSeconds()), in, out)))
                    .ifPresent(others -> others.forEach(operations::add));
            own.apply(operations, isDone -> followChanges(now));
        }
    }

    /** Which services are busy is seen at once by their next SYNs. */
    private void removeBrokenServices(NetworkSnapshot now, List<FlowEntry> rules) {
        if (!rules.stream().allMatch(rule -> leadsOn(now, rule))) {
            FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
            rules.forEach(operations::remove);
            own.apply(operations, isDone -> { });
        }
    }

    private boolean leadsOn(NetworkSnapshot now, FlowEntry serviceRule) {
        return output(serviceRule).filter(out -> now.isBetweenSwitches(out)
                || attachments.isAt(ServiceMatch.destination(serviceRule.selector()), out)).isPresent();
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
        for (Link link : links) {
            rules.add(rule(match, selector, in, link.src(), in.equals(ingress)));
            in = link.dst();
        }
        rules.add(rule(match, selector, in, egress, in.equals(ingress)));
    }

    private FlowRule rule(Match match, TrafficSelector selector, ConnectPoint in, ConnectPoint out, boolean isFirst) {
        FlowRule.Builder rule = match.kind.builder(own.appId(), in.deviceId(),
                                                   DefaultTrafficSelector.builder(selector).matchInPort(in.port()).build(),
                                                   DefaultTrafficTreatment.builder().setOutput(out.port()).build());
        return (isFirst && match.mostSeconds > 0 ? rule.withHardTimeout(match.mostSeconds) : rule.makeTemporary(match.idleSeconds)).build();
    }

    /** What rules match, there and perhaps back, and how long they stay. */
    private static final class Match {
        private final TrafficSelector there;
        private final Optional<TrafficSelector> back;
        private final RuleKind kind;
        /** The idle time-out: each packet begins it anew. */
        private final int idleSeconds;
        /** The hard time-out in the switch where packets come in; 0 for none. */
        private final int mostSeconds;

        private Match(TrafficSelector there, Optional<TrafficSelector> back, RuleKind kind, int idleSeconds, int mostSeconds) {
            this.there = there;
            this.back = back;
            this.kind = kind;
            this.idleSeconds = idleSeconds;
            this.mostSeconds = mostSeconds;
        }

        private static Match connection(FiveTuple tuple, int idleSeconds) {
            return new Match(TupleMatch.of(tuple), Optional.of(TupleMatch.of(tuple.reversed())), RuleKind.PLAIN, idleSeconds, 0);
        }

        private static Match oneWay(FiveTuple tuple, int idleSeconds) {
            return new Match(TupleMatch.of(tuple), Optional.empty(), RuleKind.PLAIN, idleSeconds, 0);
        }

        private static Match service(ServiceMatch service, int seconds, int idleSeconds) {
            return new Match(service.there(), Optional.of(service.back()), RuleKind.SERVICE, idleSeconds, seconds);
        }
    }
}
