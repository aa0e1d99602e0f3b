// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.subflow.mptcp.admission.Admission;
import org.subflow.mptcp.admission.AdmissionPace;
import org.subflow.mptcp.admission.Admissions;
import org.subflow.mptcp.admission.AwaitedConnections;
import org.subflow.mptcp.admission.Endings;
import org.subflow.mptcp.admission.Gate;
import org.subflow.mptcp.admission.JoinAdmission;
import org.subflow.mptcp.admission.Priorities;
import org.subflow.mptcp.admission.Refusal;
import org.subflow.mptcp.admission.Resumptions;
import org.subflow.mptcp.admission.SubflowPlacement;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.candidate.ConnectionPolicies;
import org.subflow.mptcp.host.Decider;
import org.subflow.mptcp.host.HostAgents;
import org.subflow.mptcp.lifecycle.CounterReading;
import org.subflow.mptcp.lifecycle.EndedConnections;
import org.subflow.mptcp.lifecycle.HostReports;
import org.subflow.mptcp.lifecycle.Idleness;
import org.subflow.mptcp.lifecycle.Lifecycle;
import org.subflow.mptcp.lifecycle.NetworkChanges;
import org.subflow.mptcp.lifecycle.Recovery;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.loop.Guards;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.measure.OtherTraffic;
import org.subflow.mptcp.measure.Stamps;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.provisioning.ConnectionNotifier;
import org.subflow.mptcp.provisioning.FlowTables;
import org.subflow.mptcp.provisioning.KeptState;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.provisioning.Retries;
import org.subflow.mptcp.provisioning.RuleTimes;
import org.subflow.mptcp.query.ConnectionFigures;
import org.subflow.mptcp.query.LeaderAnswers;
import org.subflow.mptcp.query.Searches;
import org.subflow.mptcp.query.WhatIf;
import org.subflow.mptcp.reoptimisation.MoveSearch;
import org.subflow.mptcp.reoptimisation.PathReviews;
import org.subflow.mptcp.reoptimisation.Reoptimiser;
import org.subflow.mptcp.reservation.ReservationKeeper;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.RecoveryHold;
import org.subflow.mptcp.routing.Rerouting;
import org.subflow.mptcp.routing.SubflowEndpoints;
import org.subflow.mptcp.routing.Traffic;
import org.subflow.mptcp.sharing.AttainableRateEstimator;
import org.subflow.mptcp.sharing.ConnectionShares;
import org.subflow.mptcp.sharing.Forecasts;
import org.subflow.mptcp.sharing.LinkUsages;
import org.subflow.mptcp.sharing.MeasuredTraffic;
import org.subflow.mptcp.sharing.NetworkBoundEstimator;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.subflows.AddressPairs;
import org.subflow.mptcp.subflows.SubflowPlanner;
import org.subflow.mptcp.subflows.SubflowSearch;
import org.subflow.mptcp.submission.ConnectionIntents;
import org.subflow.mptcp.topology.UnreservedNetwork;

/**
 * Builds the parts that decide about connections, in one place for the bundle and its unit tests. Starts no thread and
 * registers nothing.
 */
public final class Wiring {
    final UnreservedNetwork unreserved;
    final Meter meter;
    final Demands demands;
    final OtherTraffic others;
    final RuleTimes ruleTimes = new RuleTimes();
    final ReservationKeeper reservationKeeper;
    final LinkUsages usages;
    final AttainableRateEstimator attainableRates;
    final NetworkBoundEstimator bound;
    final ConnectionNotifier notifier;
    private final FlowTables tables;
    private final KeptState kept;
    final NetworkModel model;
    private final ConnectionShares shares;
    final Provisioner provisioner;
    final Retries retries;
    final Rerouting rerouting;
    final WhatIf whatIf;
    public final ConnectionPolicies policies;
    public final AdmissionPace pace;
    public final Gate gate;
    final Admission admission;
    final JoinAdmission joins;
    final Resumptions resumptions;
    final AwaitedConnections awaited;
    public final Reoptimiser reoptimiser;
    final SubflowPlanner planner;
    final Endings endings;
    final Recovery recovery;
    final Lifecycle lifecycle;
    final NetworkChanges changes;
    public final EndedConnections ended;
    final HostReports hostReports;
    final ConnectionIntents intents;
    final HostAgents agents;
    private final ConnectionStore store;

    /**
     * Builds the parts.
     *
     * @param agentsOf    makes the hosts' agents around the parts that decide
     * @param listeners   gets the events of connections
     * @param stamps      make of the time of a counter one of the clock
     */
    Wiring(Stores stores, NetworkAccess network, SettingsService settings, PolicyService rules, SubmissionFactory submissions,
           Function<Decider, HostAgents> agentsOf, Consumer<ConnectionEvent> listeners, Triggers triggers, Guards guards,
           Clock clock, Stamps stamps) {
        LoopGuard guard = guards.decisions;
        store = stores.connections;
        agents = agentsOf.apply(new Reported(triggers.reports));
        intents = submissions.intents(new Decisions());
        unreserved = new UnreservedNetwork(network.view);
        meter = new Meter(network.rules.appId(), network.view::received, stamps);
        demands = new Demands(guard);
        others = new OtherTraffic(unreserved::reservedByOthers);
        Traffic traffic = new MeasuredTraffic(demands, others);
        reservationKeeper = new ReservationKeeper(submissions.reservations(), unreserved, triggers.bookings, clock::nanos);
        usages = new LinkUsages(store, network.view, reservationKeeper::booked, others);
        NetworkModel estimated = new NetworkModel(unreserved, traffic, guards.estimates);
        attainableRates = new AttainableRateEstimator(estimated, clock::nanos,
                                                      connection -> attainableRateChanged(connection.id()));
        bound = new NetworkBoundEstimator(estimated, clock::millis);
        notifier = new ConnectionNotifier(store, clock::millis, triggers.news, listeners);
        kept = new KeptState(meter, demands, attainableRates, stores.keys, stores.tokens, clock::millis);
        model = new NetworkModel(unreserved, traffic, guard);
        shares = new ConnectionShares(model, settings, triggers.computing, triggers.applying);
        provisioner = new Provisioner(store, shares, reservationKeeper, intents, ruleTimes, this::happened, triggers.shares);
        Forecasts forecasts = new Forecasts(model);
        whatIf = new WhatIf(new NetworkModel(unreserved, traffic, guards.questions));
        SubflowEndpoints endpoints = new SubflowEndpoints(network.attachments, unreserved, network.hostAsker, network.followHosts,
                                                           clock::millis);
        RecoveryHold recoveryHold = new RecoveryHold(unreserved, clock::millis);
        rerouting = new Rerouting(model, endpoints);
        tables = new FlowTables(network.rules, clock::nanos);
        retries = new Retries(store, intents, provisioner, tables, this::throughput, clock);
        AddressPairs pairs = new AddressPairs(agents, network.attachments, unreserved);
        planner = new SubflowPlanner(agents, new SubflowSearch(pairs, store, model, provisioner, tables), store, provisioner, settings,
                                     clock::millis);
        pace = new AdmissionPace(network.attachments, clock::nanos);
        gate = new Gate(settings, provisioner, forecasts, tables, pace, submissions::mayDecide);
        SubflowPlacement placement = new SubflowPlacement(network.attachments, model, rerouting, provisioner);
        joins = new JoinAdmission(store, gate, placement, planner, provisioner, new Priorities(store, provisioner));
        policies = new ConnectionPolicies(settings, rules);
        admission = new Admission(policies, gate, placement, joins, planner, provisioner, guard);
        resumptions = new Resumptions(store, gate, placement, recoveryHold, provisioner);
        awaited = new AwaitedConnections(store, admission, provisioner, meter, settings, clock::millis);
        reoptimiser = new Reoptimiser(store, unreserved, new MoveSearch(model, settings, triggers.plans), provisioner,
                                      new PathReviews(demands), clock::nanos);
        endings = new Endings(store);
        recovery = new Recovery(store, meter, provisioner, gate, rerouting, recoveryHold);
        ended = new EndedConnections(store, meter, endings, planner, provisioner);
        lifecycle = new Lifecycle(new CounterReading(unreserved, meter, demands, others, provisioner, awaited), awaited, ended,
                                  new Idleness(store, meter, settings, provisioner, awaited, network.unseenEnds, ended),
                                  recovery, planner, reoptimiser);
        changes = new NetworkChanges(store, unreserved, provisioner, rerouting, reoptimiser, recovery, planner);
        hostReports = new HostReports(agents.reception(), store, demands, provisioner, ended, joins, network.attachments::isOwn);
    }

    /** Returns the ways to paths. */
    public Admissions admissions() {
        return new Admissions(admission, joins, resumptions);
    }

    /** Tells hosts' agents at once, and listeners at their pace. */
    private void happened(ConnectionEvent event) {
        kept.follow(event);
        notifier.notifyListeners(event);
        agents.changed(event);
    }

    /** Returns what the subflows of a connection carry in both directions together, bit/s. */
    private double throughput(Connection connection) {
        Rates measured = meter.measurement(connection.id()).rates(connection);
        return measured.up() + measured.down();
    }

    /**
     * Makes who answers the questions of users and of other nodes.
     *
     * @param loops    where questions are answered that take time; not null
     * @param settings the settings; not null
     * @param clock    the time; not null
     * @param counters all counters by name; not null
     */
    public LeaderAnswers answers(Loops loops, SettingsService settings, Clock clock, Supplier<Map<String, Long>> counters) {
        return new LeaderAnswers(new ConnectionFigures(store, agents.reception(), meter, demands, attainableRates, awaited),
                                 new Searches(loops, settings, whatIf, provisioner, reoptimiser, awaited, clock), usages, ruleTimes,
                                 bound, counters);
    }

    /** Returns the counters of the parts by name, in a fixed order. */
    Map<String, Long> counters() {
        return ImmutableMap.<String, Long>builder()
                .putAll(ruleTimes.counters())
                .put("policy.unmanaged", admission.refusals().of(Refusal.POLICY))
                .put("established.without-ports", admission.refusals().of(Refusal.WITHOUT_PORTS))
                .put("policy.refused", admission.refusals().of(Refusal.SHORT))
                .put("policy.over-cap", admission.refusals().of(Refusal.TOO_MANY_SUBFLOWS))
                .putAll(planner.counters())
                .put("limit.connections", admission.refusals().of(Refusal.TOO_MANY))
                .put("flow-tables.full", tables.full())
                .put("shares.error-ppm", Math.round(1e6 * shares.error()))
                .put("limit.flow-tables", admission.refusals().of(Refusal.FLOW_TABLES) + retries.givenUp())
                .build();
    }

    private void attainableRateChanged(ConnectionId id) {
        notifier.attainableRateChanged(id);
        store.get(id).ifPresent(agents::attainableRateChanged);
    }

    /** Handles outcomes of submissions, on the control loop only; all parts are there before the first outcome. */
    private final class Decisions implements ConnectionIntents.Outcome {
        @Override
        public void installed(ConnectionId connection, long revision) {
            provisioner.installed(connection, revision);
            recovery.confirmed();
        }

        @Override
        public void failed(ConnectionId connection, long revision) {
            retries.failed(connection, revision);
        }

        @Override
        public void withdrawn(ConnectionId connection) {
            provisioner.withdrawn(connection);
        }

        @Override
        public void pathsChanged() {
            provisioner.pathsChanged();
        }
    }

    /** What agents tell, and what they are told. */
    private final class Reported implements Decider {
        private final Runnable apply;

        Reported(UnaryOperator<Runnable> trigger) {
            apply = trigger.apply(() -> hostReports.apply());
        }

        @Override
        public AttainableRate attainableRate(ConnectionId id) {
            return attainableRates.attainableRate(id);
        }

        @Override
        public void reported() {
            apply.run();
        }
    }
}
