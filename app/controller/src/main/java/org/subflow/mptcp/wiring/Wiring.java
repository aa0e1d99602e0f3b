// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.onosproject.net.flow.FlowRuleService;
import org.subflow.mptcp.admission.Admission;
import org.subflow.mptcp.admission.AdmissionLimits;
import org.subflow.mptcp.admission.AwaitedConnections;
import org.subflow.mptcp.admission.ConnectionPolicies;
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
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.candidate.UnseenEnds;
import org.subflow.mptcp.host.HostAgents;
import org.subflow.mptcp.intent.ConnectionIntents;
import org.subflow.mptcp.intent.Reservations;
import org.subflow.mptcp.lifecycle.HostReports;
import org.subflow.mptcp.lifecycle.Lifecycle;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.measure.OtherTraffic;
import org.subflow.mptcp.measure.Stamps;
import org.subflow.mptcp.provisioning.ConnectionNotifier;
import org.subflow.mptcp.provisioning.FlowTables;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.provisioning.ReservationKeeper;
import org.subflow.mptcp.provisioning.Retries;
import org.subflow.mptcp.provisioning.RuleTimes;
import org.subflow.mptcp.query.AwaitedDesk;
import org.subflow.mptcp.query.ConnectionFigures;
import org.subflow.mptcp.query.LeaderAnswers;
import org.subflow.mptcp.query.LongQuestions;
import org.subflow.mptcp.query.WhatIf;
import org.subflow.mptcp.reoptimisation.BetterConnectionPaths;
import org.subflow.mptcp.reoptimisation.Handover;
import org.subflow.mptcp.reoptimisation.PlannedMoves;
import org.subflow.mptcp.reoptimisation.Reoptimiser;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.RecoveryHold;
import org.subflow.mptcp.routing.Rerouting;
import org.subflow.mptcp.routing.SubflowEndpoints;
import org.subflow.mptcp.sharing.AttainableRateEstimator;
import org.subflow.mptcp.sharing.ConnectionShares;
import org.subflow.mptcp.sharing.Forecasts;
import org.subflow.mptcp.sharing.LinkUsages;
import org.subflow.mptcp.sharing.NetworkBoundEstimator;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.subflows.AddressPairs;
import org.subflow.mptcp.subflows.SubflowPlanner;
import org.subflow.mptcp.token.TokenTable;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;
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
    final NetworkModel model;
    final Provisioner provisioner;
    final Retries retries;
    final Rerouting rerouting;
    final WhatIf whatIf;
    public final ConnectionPolicies policies;
    final Admission admission;
    final JoinAdmission joins;
    final Resumptions resumptions;
    final AwaitedConnections awaited;
    final Handover handover;
    public final Reoptimiser reoptimiser;
    final SubflowPlanner planner;
    final Endings endings;
    final Lifecycle lifecycle;
    final HostReports hostReports;
    private final ConnectionStore store;
    private final HostAgents agents;

    /** The services and callbacks that the parts need; every field must be set. */
    static final class Surroundings {
        /** ONOS's network with full capacities. */
        NetworkView network;
        Attachments attachments;
        FlowRuleService flowRules;
        ConnectionStore store;
        KeyStore keys;
        TokenTable tokens;
        HostAgents agents;
        ConnectionIntents intents;
        Reservations reservations;
        SettingsService settings;
        PolicyService policies;
        /** Asks hosts at their old ports. */
        SubflowEndpoints.Asker hostAsker;
        /** Has {@link Lifecycle#hostsChanged} run once more, after {@link SubflowEndpoints#ANSWER_MILLIS}. */
        Runnable followHosts;
        /** Where the ends of connections may go unseen. */
        UnseenEnds unseenEnds;
        /** Gets the events of connections. */
        Consumer<ConnectionEvent> listeners;
        /** Makes a trigger of a task that writes reservations; see {@link ReservationKeeper}. */
        UnaryOperator<Runnable> bookings;
        /** Makes a trigger of the task that computes shares; see {@link Provisioner}. */
        UnaryOperator<Runnable> shares;
        /** Makes a trigger of a task that posts frequent events; see {@link ConnectionNotifier}. */
        UnaryOperator<Runnable> news;
        /** Makes a trigger of the task that computes background plans; see {@link PlannedMoves}. */
        UnaryOperator<Runnable> plans;
        /** Checks that the control loop is the running thread. */
        LoopGuard guard;
        /** Checks that it is the loop of attainable rates and of the network's bound that runs. */
        LoopGuard estimates;
        /** Checks that it is the loop of users' questions that runs. */
        LoopGuard questions;
        /** A clock without steps, milliseconds of the Unix epoch at its start. */
        LongSupplier clockMillis;
        /** The system's clock, milliseconds of the Unix epoch. */
        LongSupplier epochMillis;
        /** Makes of the time of a counter one of the clock without steps. */
        Stamps stamps;
        /** A monotonic clock, nanoseconds. */
        LongSupplier clockNanos;
    }

    Wiring(Surroundings from) {
        store = from.store;
        agents = from.agents;
        unreserved = new UnreservedNetwork(from.network);
        meter = new Meter(from.flowRules, from.network::received, from.stamps);
        demands = new Demands(from.guard);
        others = new OtherTraffic(unreserved::reservedByOthers);
        reservationKeeper = new ReservationKeeper(from.reservations, unreserved, from.bookings);
        usages = new LinkUsages(from.store, from.network, reservationKeeper::booked, others);
        NetworkModel estimated = new NetworkModel(unreserved, demands::of, others::on, from.estimates);
        attainableRates = new AttainableRateEstimator(estimated, from.clockNanos,
                                                      connection -> attainableRateChanged(connection.id()));
        bound = new NetworkBoundEstimator(estimated, from.clockMillis);
        notifier = new ConnectionNotifier(from.store, meter, demands, attainableRates, from.keys, from.tokens,
                                          from.clockMillis, from.news, from.listeners);
        model = new NetworkModel(unreserved, demands::of, others::on, from.guard);
        provisioner = new Provisioner(from.store, from.settings, new ConnectionShares(model), reservationKeeper,
                                      from.intents, ruleTimes, this::happened, from.shares, from.guard);
        Forecasts forecasts = new Forecasts(model);
        whatIf = new WhatIf(new NetworkModel(unreserved, demands::of, others::on, from.questions));
        SubflowEndpoints endpoints = new SubflowEndpoints(from.attachments, unreserved, from.hostAsker, from.followHosts,
                                                           from.clockMillis);
        RecoveryHold recoveryHold = new RecoveryHold(unreserved, from.clockMillis);
        rerouting = new Rerouting(model, endpoints);
        FlowTables tables = new FlowTables(from.flowRules, from.clockNanos);
        retries = new Retries(from.store, from.flowRules, from.intents, provisioner, tables, this::throughput,
                              from.clockMillis, from.epochMillis, from.clockNanos, from.guard);
        AddressPairs pairs = new AddressPairs(from.agents, from.attachments, unreserved);
        planner = new SubflowPlanner(from.agents, pairs, from.store, model, provisioner, tables, from.settings,
                                     from.clockMillis, from.guard);
        AdmissionLimits limits = new AdmissionLimits(from.settings, provisioner, forecasts, tables);
        SubflowPlacement placement = new SubflowPlacement(from.attachments, model, rerouting, provisioner);
        joins = new JoinAdmission(from.store, limits, placement, planner, provisioner,
                                  new Priorities(from.store, provisioner, from.guard), from.guard);
        policies = new ConnectionPolicies(from.settings, from.policies);
        admission = new Admission(policies, limits, placement, joins, planner, provisioner, from.guard);
        resumptions = new Resumptions(from.store, limits, placement, joins, recoveryHold, provisioner, from.guard);
        awaited = new AwaitedConnections(from.store, admission, provisioner, meter, from.settings, from.clockMillis, from.guard);
        handover = new Handover(from.store, unreserved, provisioner, from.guard);
        reoptimiser = new Reoptimiser(from.store, unreserved, new BetterConnectionPaths(model, from.settings),
                                      new PlannedMoves(model, from.settings, from.plans), provisioner, handover, from.clockNanos,
                                      from.guard);
        endings = new Endings(from.store, from.guard);
        lifecycle = new Lifecycle(from.store, unreserved, meter, demands, others, from.settings, provisioner, rerouting,
                                  reoptimiser, recoveryHold, planner, awaited, from.unseenEnds, endings, from.guard);
        hostReports = new HostReports(from.agents, from.store, demands, provisioner, lifecycle, joins, from.guard);
    }

    /** Returns the ways to paths. */
    public Gate gate() {
        return new Gate(admission, joins, resumptions);
    }

    /** Tells hosts' agents at once, and listeners at their pace. */
    private void happened(ConnectionEvent event) {
        notifier.notifyListeners(event);
        agents.changed(event);
    }

    /** Returns what the subflows of a connection carry in both directions together, bit/s. */
    private double throughput(Connection connection) {
        Measurement measured = meter.measurement(connection.id());
        return connection.subflows().stream().map(subflow -> measured.rates(subflow.tuple()))
                .mapToDouble(rates -> rates.up() + rates.down()).sum();
    }

    /**
     * Makes who answers the questions of users and of other nodes.
     *
     * @param loops    where questions are answered that take time; not null
     * @param settings the settings; not null
     * @param counters all counters by name; not null
     */
    public LeaderAnswers answers(Loops loops, SettingsService settings, Supplier<Map<String, Long>> counters) {
        return new LeaderAnswers(new ConnectionFigures(store, agents, meter, demands, attainableRates),
                                 new LongQuestions(loops, settings, whatIf, provisioner, reoptimiser),
                                 new AwaitedDesk(loops.decisions, awaited), usages, ruleTimes, bound, counters);
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
                .put("limit.flow-tables", admission.refusals().of(Refusal.FLOW_TABLES) + retries.givenUp())
                .build();
    }

    private void attainableRateChanged(ConnectionId id) {
        notifier.attainableRateChanged(id);
        store.get(id).ifPresent(agents::attainableRateChanged);
    }
}
