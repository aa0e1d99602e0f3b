// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.onlab.packet.MacAddress;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.HostId;
import org.onosproject.store.service.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.host.AgentBench;
import org.subflow.mptcp.intent.MptcpIntentCompiler;
import org.subflow.mptcp.lifecycle.Outcomes;
import org.subflow.mptcp.loop.Guards;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.measure.Stamps;
import org.subflow.mptcp.reservation.Reservations;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.Reconciler;
import org.subflow.mptcp.rules.RuleReading;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.submission.ConnectionIntents;
import org.subflow.mptcp.token.TokenTable;
import org.subflow.mptcp.topology.Nets;

/**
 * A network and the application on services of ONOS that fail by chance. Its seed says all of it; nothing else runs at the same time.
 */
class FaultyOnos {
    private static final Logger LOG = LoggerFactory.getLogger(FaultyOnos.class);
    static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    static final int MOST = 6;
    static final int MOST_OF_HOST = 4;
    static final int MOST_SUBFLOWS = 3;
    static final String MOVING_HOST = "00:00:00:00:00:03";
    static final long IDLE_SECONDS = 15;
    private static final long SWEEP_MILLIS = 5000;
    private static final int SETTLING_SECONDS = 60;
    private static final int SMALL_TABLE = 5;
    private static final int EARNING_MILLIS = 2000;

    final Faults faults;
    final Stage network = new Stage();
    final FaultyRules rules;
    final FaultyIntents intents;
    final Map<ImmutableByteSequence, ImmutableByteSequence> connectionsKept = new HashMap<>();
    private final Map<ImmutableByteSequence, ImmutableByteSequence> keysKept = new HashMap<>();
    final KnownSwitches switches = new KnownSwitches(5);
    private final OwnRules ownRules;
    /** Both directions of subflows for which the gate was asked. */
    final Set<FiveTuple> admitted = new HashSet<>();
    final List<String> wakes = new ArrayList<>();
    final Set<FiveTuple> sending = new HashSet<>();
    /** Both directions of subflows of which no packet comes any more. */
    final Set<FiveTuple> ended = new HashSet<>();
    final PathLabels labels;
    /** Whether switches copy SYN, FIN and RST. */
    final boolean copying;
    ConnectionStore store;
    Wiring parts;
    /** The control loop, for what segments tell. */
    Predicate<Runnable> loop;
    Speakers speakers;
    private Reconciler reconciler;
    Runnable changed;
    Runnable moved;
    private long swept;

    /** Begins a life; nothing has been opened. */
    FaultyOnos(long seed) {
        faults = new Faults(seed);
        network.nanoClock = () -> network.millis * 1_000_000;
        network.attach(MOVING_HOST, Nets.edge(2), "10.0.0.3");
        network.snapshot();
        network.steady = true;
        labels = List.of(PathLabels.values()).get(faults.random.nextInt(PathLabels.values().length));
        copying = faults.random.nextBoolean();
        String strategy = faults.random.nextBoolean() ? "multiflow" : "widest-disjoint";
        network.settings = Settings.DEFAULTS.with(Settings.STRATEGY, strategy).with(Settings.MOST_CONNECTIONS, MOST)
                .with(Settings.MOST_CONNECTIONS_PER_HOST, MOST_OF_HOST).with(Settings.MOST_SUBFLOWS, MOST_SUBFLOWS)
                .with(Settings.IDLE_SECONDS, (int) IDLE_SECONDS).with(Settings.MANAGE_AFTER_MILLIS, faults.random.nextBoolean() ? 0 : EARNING_MILLIS);
        rules = new FaultyRules(faults, () -> network.millis);
        rules.isLost = device -> network.switchesDown.contains(Stage.number(device));
        ownRules = new OwnRules(rules, switches, APP);
        intents = new FaultyIntents(faults, ownRules, new MptcpIntentCompiler(), network);
        if (faults.random.nextInt(4) == 0) {
            rules.sizes.put(Nets.device(3), SMALL_TABLE);
        }
        network.snapshot().devices().forEach(rules::greet);
        start();
    }

    private void start() {
        UnaryOperator<Runnable> soon = faults.triggers();
        store = new ConnectionStore(connectionsKept, soon, LoopGuard.NONE);
        KeyStore keys = new KeyStore(keysKept, soon, LoopGuard.NONE);
        keys.retain(store.all().stream().map(Connection::id).collect(Collectors.toSet()));
        TokenTable tokens = new TokenTable();
        store.all().forEach(connection -> keys.get(connection.id()).ifPresent(those -> tokens.register(connection.first().tuple(), those)));
        ConnectionStore now = store;
        Stores stores = new Stores(store, keys, tokens);
        parts = new Wiring(stores,
                           new NetworkAccess(network, network.attachments, ownRules, (tuple, host, port) -> { },
                                             () -> { }, (first, nanos) -> false),
                           () -> network.settings, network.policyService, new Submissions(soon),
                           decider -> new AgentBench(now, () -> network.millis).agents, this::hear,
                           new Triggers(soon, soon, soon, soon, soon, soon, soon),
                           new Guards(LoopGuard.NONE, LoopGuard.NONE, LoopGuard.NONE), network.clock, Stamps.AS_THEY_ARE);
        loop = faults.queue();
        speakers = new Speakers(this, stores);
        parts.intents.start();
        reconciler = new Reconciler(ownRules, parts.intents.wantedRules());
        parts.changes.recover(network.millis);
        changed = soon.apply(() -> parts.changes.networkChanged(network.millis));
        moved = soon.apply(() -> parts.changes.hostsChanged());
    }

    private void hear(ConnectionEvent event) {
        parts.pace.follow(event);
        parts.notifier.delivered(event);
    }

    private final class Submissions implements SubmissionFactory {
        private final UnaryOperator<Runnable> soon;

        private Submissions(UnaryOperator<Runnable> soon) {
            this.soon = soon;
        }

        @Override
        public ConnectionIntents intents(ConnectionIntents.Outcome decisions) {
            return new ConnectionIntents(intents, ownRules, new Outcomes(soon, decisions), () -> labels);
        }

        @Override
        public boolean mayDecide() {
            return network.mayDecide;
        }

        @Override
        public Reservations reservations() {
            return new Reservations(network.ledger, () -> { });
        }
    }

    void networkChanged() {
        network.steady = false;
        network.snapshot();
        network.steady = true;
        changed.run();
    }

    void comesBack(int number) {
        network.switchesDown.remove(number);
        switches.up.add(Nets.device(number));
        rules.greet(Nets.device(number));
    }

    void restart(boolean isCrash) {
        network.mayDecide = true;
        intents.forgetListeners();
        faults.end(isCrash);
        start();
    }

    /** Lets time pass, with all that happens each second. */
    void pass(long time) {
        long end = network.millis + time;
        while (network.millis < end) {
            long next = Math.min(end, network.millis - network.millis % 1000 + 1000);
            network.millis = next;
            if (next % 1000 == 0) {
                second();
            }
        }
    }

    private void second() {
        if (!faults.hit(20)) {
            rules.report(sending::contains);
        }
        wake();
        speakers.second();
        RuleReading reading = ownRules.read();
        parts.lifecycle.tick(network.millis, reading);
        parts.pace.pause(parts.retries.tick(reading));
        if (network.millis - swept >= SWEEP_MILLIS) {
            swept = network.millis;
            parts.provisioner.sweep();
            intents.cleanUp();
            parts.retries.unconfirmedAt(reconciler.look());
            unlessOnosFails(parts.reservationKeeper::look);
        }
        faults.some(faults.random.nextInt(8));
    }

    /** The loop that runs it goes on. */
    private static void unlessOnosFails(Runnable task) {
        try {
            task.run();
        } catch (StorageException e) {
            LOG.info("{}", e.toString());
        }
    }

    /** Packets without rules come to the controller. */
    private void wake() {
        for (Connection connection : store.all()) {
            for (Subflow subflow : connection.subflows()) {
                boolean isIdle = connection.state() == ConnectionState.IDLE || subflow.state() == SubflowState.IDLE;
                if (isIdle && sending.contains(subflow.tuple())) {
                    if (faults.random.nextBoolean()) {
                        speakers.wake(subflow.tuple());
                    } else if (parts.resumptions.woken(connection.id(), subflow.tuple())) {
                        wakes.add("wakes");
                    }
                }
            }
        }
    }

    /** ONOS is well for so long that everything gets to where it belongs. */
    void settle() {
        faults.happen = false;
        if (!network.mayDecide) {
            restart(true);
        }
        network.ledger.timeOut(Integer.MAX_VALUE, 0, true);
        if (!network.switchesDown.isEmpty()) {
            // Rules in a lost switch cannot be removed.
            new TreeSet<>(network.switchesDown).forEach(this::comesBack);
            networkChanged();
        }
        for (int second = 0; second < SETTLING_SECONDS; second++) {
            pass(1000);
            // ONOS tells of new resources.
            unlessOnosFails(parts.reservationKeeper::tryAgain);
            for (int rounds = 0; rounds < 100 && !faults.isIdle(); rounds++) {
                faults.some(10);
            }
        }
        faults.happen = true;
    }

    void admit(FiveTuple tuple) {
        admitted.add(tuple);
        admitted.add(tuple.reversed());
    }

    /** Returns whether this is a direction of a subflow that the application has said it manages. */
    boolean isAdmitted(FiveTuple tuple) {
        return admitted.contains(tuple);
    }

    /** Returns whether this host moves between ports. */
    boolean moves(HostId host) {
        return host.mac().equals(MacAddress.valueOf(MOVING_HOST));
    }

    /** Returns how connections have come to life besides. */
    List<String> wakes() {
        return wakes;
    }
}
