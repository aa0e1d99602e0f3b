// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.admission.Admission;
import org.subflow.mptcp.admission.AwaitedConnections;
import org.subflow.mptcp.admission.Endings;
import org.subflow.mptcp.admission.JoinAdmission;
import org.subflow.mptcp.admission.Resumptions;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.LinkAttributes;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.KnownPolicies;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.host.AgentBench;
import org.subflow.mptcp.intent.IntentIds;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.lifecycle.Lifecycle;
import org.subflow.mptcp.lifecycle.NetworkChanges;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.loop.GivenClock;
import org.subflow.mptcp.loop.Guards;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.measure.OtherTraffic;
import org.subflow.mptcp.measure.Stamps;
import org.subflow.mptcp.measure.ToldRules;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.provisioning.Retries;
import org.subflow.mptcp.provisioning.RuleTimes;
import org.subflow.mptcp.query.WhatIf;
import org.subflow.mptcp.reservation.LedgerResourceService;
import org.subflow.mptcp.reservation.ReservationKeeper;
import org.subflow.mptcp.reservation.Reservations;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.rules.Reconciler;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.token.TokenTable;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.KnownInterfaces;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.StillView;
import org.subflow.mptcp.topology.UnreservedNetwork;

/**
 * The diamond 1–{2,3,4}–5 with a client (10.0.0.1, .11, .12, .13) on switch 1 and a server (10.0.0.2) on switch 5, and
 * the parts of the control loop around hand-written stand-ins for ONOS's services.
 */
public final class Stage implements StillView {
    public static final IpAddress SERVER = IpAddress.valueOf("10.0.0.2");
    public static final ConnectionId ID = ConnectionId.of("62c2ac68");
    private final int switches;
    public final List<Link> links;
    /** Capacities that are not {@link Nets#CAPACITY}, bit/s. */
    public final Map<Link, Double> capacities = new HashMap<>();
    /** Of links for which not only a capacity is known. */
    public final Map<Link, LinkAttributes> attributes = new HashMap<>();
    public final LedgerResourceService ledger = new LedgerResourceService(Nets.CAPACITY);
    /** What ONOS has been told, and tells. */
    public final RecordingIntents intents = new RecordingIntents();
    public final List<ConnectionEvent> events = new ArrayList<>();
    /** What the switches tell. */
    public final ToldRules rules = new ToldRules();
    public final ConnectionStore store;
    public final KeyStore keys;
    public final TokenTable tokens = new TokenTable();
    public final AgentBench agents;
    public Reservations reservations;
    public UnreservedNetwork unreserved;
    public NetworkModel model;
    public ReservationKeeper reservationKeeper;
    public Provisioner provisioner;
    public Demands demands;
    public Meter meter;
    public OtherTraffic others;
    public Admission admission;
    public JoinAdmission joins;
    public Resumptions resumptions;
    public AwaitedConnections awaited;
    public Retries retries;
    public Endings endings;
    public Lifecycle lifecycle;
    public NetworkChanges changes;
    public WhatIf whatIf;
    /** Make the triggers of shares, and of their computation, for the next {@link #start()}; both run at once at first. */
    public UnaryOperator<Runnable> shares = now -> now;
    public UnaryOperator<Runnable> computing = now -> now;
    /** Makes the trigger of reservations for the next {@link #start()}; they are written at once at first. */
    public UnaryOperator<Runnable> bookings = now -> now;
    /** Checks the control loop's thread from the next {@link #start()} on. */
    public LoopGuard guard = LoopGuard.NONE;
    /** Whether the network stays as it was at the last {@link #snapshot()}, which then need not be made again. */
    public boolean steady;
    private NetworkSnapshot last;
    private Wiring parts;
    public RuleTimes ruleTimes;
    public final KnownInterfaces interfaces = new KnownInterfaces();
    public final Attachments attachments = new Attachments(new HostServiceAdapter() {
        @Override
        public Set<Host> getHostsByIp(IpAddress ip) {
            if (broken.contains(ip)) {
                throw new IllegalStateException("for the test");
            }
            return hosts.containsKey(ip) ? Set.of(hosts.get(ip)) : Set.of();
        }

        @Override
        public Host getHost(HostId id) {
            return hosts.values().stream().filter(host -> host.id().equals(id)).findFirst().orElse(null);
        }
    }, this::isUp, interfaces.own(), () -> looksAgain = true);
    public final Set<ConnectPoint> portsDown = new HashSet<>();
    public final Set<Integer> switchesDown = new HashSet<>();
    public long millis;
    /** How far the system's clock is ahead of the steady one. */
    public long epochStep;
    /** Whether this node may decide. */
    public boolean mayDecide = true;
    /** Whether connections may end unseen. */
    public boolean endsUnseen;
    /** Ports at which hosts were asked whether they are there. */
    public final List<ConnectPoint> asked = new ArrayList<>();
    /** Whether hosts are to be looked at again. */
    public boolean looksAgain;
    /** Addresses at which ONOS's host service fails. */
    public final Set<IpAddress> broken = new HashSet<>();
    public LongSupplier nanoClock = () -> 0;
    /** The time, which stands still unless a test says otherwise. */
    public final Clock clock = new GivenClock(() -> nanoClock.getAsLong(), () -> millis, () -> millis + epochStep);
    public Policies policies = Policies.NONE;
    public final PolicyService policyService = new KnownPolicies(() -> policies);
    public Settings settings = Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow");
    private final Map<IpAddress, Host> hosts = new HashMap<>();

    /** Sets up the diamond with its hosts. */
    public Stage() {
        this(LoopGuard.NONE);
    }

    /** Sets up the diamond with its hosts; the store checks the thread of those that change anything. */
    public Stage(LoopGuard threads) {
        this(5, Nets.diamondLinks(), threads);
        attach("00:00:00:00:00:01", Nets.edge(1), "10.0.0.1", "10.0.0.11", "10.0.0.12", "10.0.0.13");
        attach("00:00:00:00:00:02", Nets.edge(5), "10.0.0.2");
    }

    /** Sets up a network of switches 1 to n without hosts. */
    public Stage(int switches, List<Link> links) {
        this(switches, links, LoopGuard.NONE);
    }

    private Stage(int switches, List<Link> links, LoopGuard threads) {
        store = new ConnectionStore(new HashMap<>(), now -> now, threads);
        keys = new KeyStore(new HashMap<>(), now -> now, threads);
        agents = new AgentBench(store, () -> this.millis);
        this.switches = switches;
        this.links = new ArrayList<>(links);
        IntentIds.bind();
        start();
    }

    /** Returns what mends the rules of the submissions; it has not looked so far. */
    public Reconciler reconciler() {
        return new Reconciler(rules.own(), parts.intents.wantedRules());
    }

    /** Lets the control loop tick. */
    public void tick(long nowMillis) {
        lifecycle.tick(nowMillis, rules.own().read());
    }

    /** Repeats what has failed; returns the switches without rules that they should have. */
    public Set<DeviceId> retry() {
        return retries.tick(rules.own().read());
    }

    /** Returns the parts as they are now. */
    public Wiring parts() {
        return parts;
    }

    /** Makes the parts anew, as a restart of the application does; the store and ONOS's services stay. */
    public void start() {
        LedgerSubmissions submissions = new LedgerSubmissions(intents, ledger, () -> mayDecide);
        parts = new Wiring(new Stores(store, keys, tokens),
                           new NetworkAccess(this, attachments, rules.own(), (tuple, host, port) -> asked.add(port),
                                             () -> looksAgain = true, (first, nanos) -> endsUnseen),
                           () -> settings, policyService, submissions, decider -> agents.agents, this::hear,
                           new Triggers(bookings, shares, computing, now -> now, now -> now, now -> now, now -> now),
                           new Guards(guard, LoopGuard.NONE, LoopGuard.NONE),
                           clock, Stamps.AS_THEY_ARE);
        reservations = submissions.reservations;
        unreserved = parts.unreserved;
        model = parts.model;
        demands = parts.demands;
        meter = parts.meter;
        others = parts.others;
        reservationKeeper = parts.reservationKeeper;
        provisioner = parts.provisioner;
        admission = parts.admission;
        joins = parts.joins;
        resumptions = parts.resumptions;
        awaited = parts.awaited;
        retries = parts.retries;
        endings = parts.endings;
        lifecycle = parts.lifecycle;
        changes = parts.changes;
        whatIf = parts.whatIf;
        ruleTimes = parts.ruleTimes;
    }

    private void hear(ConnectionEvent event) {
        events.add(event);
        parts.pace.follow(event);
        parts.notifier.delivered(event);
    }

    /** A connection of this name opens subflows from these addresses of its client, one after the other. */
    public Connection open(String name, IpAddress server, int port, String... clients) {
        ConnectionId id = ConnectionId.of(name);
        for (String client : clients) {
            FiveTuple tuple = FiveTuple.of(IpAddress.valueOf(client), port, server, 5201);
            if (client.equals(clients[0])) {
                admission.opened(id, Opening.of(tuple, List.of()), 1, Token.of(port), Token.of(port + 1), port);
            } else {
                joins.joined(id, new Join(tuple, Direction.UP, false));
            }
        }
        installed();
        return store.get(id).get();
    }

    /** Lets seconds pass, one by one; whatever is submitted meanwhile gets into the switches. */
    public void pass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            millis += 1000;
            tick(millis);
            installed();
        }
    }

    /** Lets a second pass in which each used subflow has sent so many octets since it began, by the switches' counters. */
    public void second(long octets) {
        rules.clear();
        long reported = millis + 900;
        for (Connection connection : store.all()) {
            for (Subflow subflow : connection.subflows()) {
                rules.tell(subflow.tuple(), subflow.ingress(), reported, octets / 1000, octets);
                rules.tell(subflow.tuple().reversed(), subflow.egress(), reported, 1, 60);
            }
        }
        pass(1);
    }

    /** Returns the subflow where a newcomer like it would be placed. */
    Subflow placed(Connection connection, Subflow subflow) {
        return model.place(connection, subflow, provisioner.live());
    }

    /** Returns a connection with new paths in place of lost ones. */
    public Connection rerouted(Connection connection) {
        return parts.rerouting.reroute(connection, provisioner.live());
    }

    public void attach(String mac, ConnectPoint port, String... addresses) {
        attach(mac, Set.of(port), addresses);
    }

    /** Attaches a host at several ports. */
    public void attach(String mac, Set<ConnectPoint> ports, String... addresses) {
        Set<IpAddress> ips = new HashSet<>();
        for (String address : addresses) {
            ips.add(IpAddress.valueOf(address));
        }
        HostId id = HostId.hostId(mac.contains("/") ? mac : mac + "/None");
        Host host = new DefaultHost(ProviderId.NONE, id, id.mac(), id.vlanId(), ports.stream()
                .map(port -> new HostLocation(port, millis + epochStep)).collect(Collectors.toSet()), ips, false);
        ips.forEach(ip -> hosts.put(ip, host));
    }

    public static FiveTuple tuple(String client, int port) {
        return FiveTuple.of(IpAddress.valueOf(client), port, SERVER, 5201);
    }

    public Connection open() {
        admission.opened(ID, Opening.of(tuple("10.0.0.1", 1000), List.of()), 1, Token.of(1), Token.of(2), 0);
        return connection();
    }

    public Connection openAnother(String name, int port) {
        ConnectionId id = ConnectionId.of(name);
        admission.opened(id, Opening.of(tuple("10.0.0.1", port), List.of()), 1, Token.of(port), Token.of(port + 1), port);
        return store.get(id).get();
    }

    public Connection join(int number) {
        joins.joined(ID, new Join(tuple("10.0.0.1" + number, 1000 + number), Direction.UP, false));
        return connection();
    }

    public Connection connection() {
        return store.get(ID).get();
    }

    /** A connection that woke has shown that its demand has no limit. */
    public void sendsAsMuchAsItMay(ConnectionId id) {
        demands.forget(id);
        share();
    }

    /** Computes all shares anew. */
    public void share() {
        provisioner.requestShare();
        provisioner.settle();
    }

    /** Every submission so far is in the switches; rules of those that had no path, or were withdrawn before, are gone. */
    public void installed() {
        List<MptcpIntent> all = List.copyOf(intents.submitted.values());
        all.stream().filter(one -> one.routes.isEmpty()).forEach(one -> parts.intents.report(one.connection));
        all.stream().filter(one -> intents.withdrawn.contains(one.key()))
                .filter(one -> parts.intents.submission(one.connection).isPresent()).forEach(one -> provisioner.withdrawn(one.connection));
        List.copyOf(intents.submitted.values()).forEach(one -> provisioner.installed(one.connection, one.revision));
        parts.recovery.confirmed();
    }

    /** Returns how many events of this type were told. */
    public long told(ConnectionEvent.Type type) {
        return events.stream().filter(event -> event.type() == type).count();
    }

    /** Returns the switch in the middle of a subflow's path. */
    public static DeviceId middle(Subflow subflow) {
        return subflow.devices().get(1);
    }

    /** Returns the n of {@link Nets#device}. */
    public static int number(DeviceId device) {
        return Integer.parseInt(device.toString().substring("of:".length()));
    }

    public void cut(int a, int b) {
        links.remove(Nets.link(a, b));
        links.remove(Nets.link(b, a));
    }

    public void mend(int a, int b) {
        links.add(Nets.link(a, b));
        links.add(Nets.link(b, a));
    }

    @Override
    public NetworkSnapshot snapshot() {
        if (steady && last != null) {
            return last;
        }
        Set<DeviceId> devices = IntStream.rangeClosed(1, switches).filter(n -> !switchesDown.contains(n)).mapToObj(Nets::device)
                .collect(Collectors.toSet());
        NetworkSnapshot now = NetworkSnapshot.of(devices, links, link -> attributes.getOrDefault(
                link, Nets.capacity(capacities.getOrDefault(link, Nets.CAPACITY))));
        last = last != null && last.isSameAs(now) ? last : now;
        return last;
    }

    @Override
    public boolean isUp(ConnectPoint port) {
        return !portsDown.contains(port);
    }
}
