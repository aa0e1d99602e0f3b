// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import com.google.common.collect.Maps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.intent.IntentState;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.SubflowRoute;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.TupleMatch;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.submission.Submission;
import org.subflow.mptcp.topology.Nets;

/** What ONOS's services have of a life, side by side: intents, rules, resources and stored records. */
final class Books {
    private static final double ROUNDING = 4;

    private final Life life;
    private final List<String> wrong = new ArrayList<>();

    private Books(Life life) {
        this.life = life;
    }

    /** Returns what is wrong at any moment, whatever is under way. */
    static List<String> bounds(Life life, Set<ConnectionId> before, boolean mayEnter) {
        Books books = new Books(life);
        books.checkBounds(before, mayEnter);
        return books.wrong;
    }

    /** Returns what is wrong once everything has come to rest. */
    static List<String> differences(Life life) {
        Books books = new Books(life);
        books.checkRecords();
        books.checkIntents();
        books.checkRules();
        books.checkResources();
        books.wrong.addAll(life.speakers.differences(life.talks));
        return books.wrong;
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            wrong.add(otherwise);
        }
    }

    private void checkBounds(Set<ConnectionId> before, boolean mayEnter) {
        List<Connection> live = life.store.live();
        check(live.size() <= Life.MOST, live.size() + " live connections");
        Map<Object, Integer> ofHost = new HashMap<>();
        for (Connection connection : live) {
            int count = ofHost.merge(connection.first().tuple().sourceHost(), 1, Integer::sum);
            // The connections of a host that moves follow it.
            check(life.moves(connection.first().tuple().sourceHost()) || count <= Life.MOST_OF_HOST, "a host has " + count);
            check(mayEnter || before.contains(connection.id()), connection.id() + " has come to life without a mandate");
        }
        for (Connection connection : life.store.all()) {
            long routed = connection.subflows().stream().filter(Subflow::isRouted).count();
            check(routed <= Life.MOST_SUBFLOWS, connection.id() + " has " + routed + " subflows");
        }
        life.speakers.bounds().ifPresent(wrong::add);
        Set<FiveTuple> tuples = new HashSet<>();
        live.forEach(connection -> connection.subflows().stream().filter(Subflow::isRouted)
                .forEach(subflow -> check(tuples.add(subflow.tuple()), "two own " + subflow.tuple())));
        for (Link link : Nets.diamondLinks()) {
            double sum = life.network.ledger.allocated(link.src());
            check(sum <= Nets.CAPACITY, sum + " bit/s reserved at " + link.src());
        }
        for (FlowEntry entry : life.rules.stored.values()) {
            TupleMatch.tuple(entry.selector()).ifPresent(tuple -> check(
                    life.isAdmitted(tuple), "a rule for " + tuple + ", which nobody has admitted"));
        }
    }

    private void checkRecords() {
        ConnectionStore kept = new ConnectionStore(life.connectionsKept, now -> now, LoopGuard.NONE);
        Map<ConnectionId, String> stored = new TreeMap<>(Comparator.comparing(ConnectionId::toString));
        kept.all().forEach(connection -> stored.put(connection.id(), record(connection)));
        Map<ConnectionId, String> known = new TreeMap<>(Comparator.comparing(ConnectionId::toString));
        life.store.all().forEach(connection -> known.put(connection.id(), record(connection)));
        check(stored.equals(known), "ONOS's map has " + stored + " instead of " + known);
    }

    private static String record(Connection connection) {
        return connection.state() + " " + connection.subflows().stream()
                .map(subflow -> subflow.tuple() + " " + subflow.state() + " " + subflow.devices()).collect(Collectors.toList());
    }

    private void checkIntents() {
        Map<ConnectionId, MptcpIntent> held = new HashMap<>();
        Set<ConnectionId> down = life.store.in(ConnectionState.DOWN).stream().map(Connection::id).collect(Collectors.toSet());
        life.intents.kept.forEach((key, kept) -> {
            check(kept.state == IntentState.INSTALLED, key + " is " + kept.state);
            check(!MptcpIntent.connection(key).filter(down::contains).isPresent(), key + " has no path");
            if (kept.intent instanceof MptcpIntent) {
                held.put(((MptcpIntent) kept.intent).connection, (MptcpIntent) kept.intent);
            }
        });
        Set<ConnectionId> routed = new HashSet<>();
        for (Connection connection : life.store.live()) {
            Set<SubflowRoute> routes = connection.subflows().stream().filter(Subflow::isRouted).map(SubflowRoute::of).collect(Collectors.toSet());
            if (!routes.isEmpty()) {
                routed.add(connection.id());
                MptcpIntent intent = held.get(connection.id());
                check(connection.state() == ConnectionState.ACTIVE, connection.id() + " is " + connection.state() + "; " + intent
                        + "; wanted is revision " + life.parts.intents.submission(connection.id()).map(Submission::revision));
                check(intent != null && withoutLabels(intent.routes).equals(withoutLabels(routes)), connection.id() + " has " + intent);
            }
        }
        held.keySet().removeAll(down);
        check(held.keySet().equals(routed), "ONOS has intents of " + held.keySet() + ", live are " + routed);
    }

    private static Set<String> withoutLabels(Collection<SubflowRoute> routes) {
        return routes.stream().map(route -> route.tuple + " " + route.ingress + " " + route.forward + " " + route.egress + " "
                + route.backward).collect(Collectors.toSet());
    }

    private void checkRules() {
        Map<String, Integer> wanted = new TreeMap<>();
        for (Connection connection : life.store.live()) {
            for (Subflow subflow : connection.subflows()) {
                if (subflow.isRouted()) {
                    hops(wanted, subflow.tuple(), subflow.path(), subflow.egress());
                    hops(wanted, subflow.tuple().reversed(), subflow.reversePath(), subflow.ingress());
                }
            }
        }
        Map<String, Integer> found = new TreeMap<>();
        Set<FiveTuple> tuples = new HashSet<>();
        boolean isAnyLabel = false;
        for (FlowEntry entry : life.rules.stored.values()) {
            if (life.rules.isLost.test(entry.deviceId())) {
                continue;
            }
            if (RuleKind.SUBFLOW.includes(entry)) {
                // One that is lost in a switch with a full table may find another one in its place.
                boolean mayWait = life.rules.sizes.containsKey(entry.deviceId());
                check(mayWait || entry.state() == FlowEntryState.ADDED, entry.deviceId() + " has not taken a rule of " + entry.selector());
                FiveTuple tuple = TupleMatch.tuple(entry.selector()).orElseThrow();
                tuples.add(tuple);
                found.merge(hop(tuple, output(entry)), 1, Integer::sum);
            }
            isAnyLabel |= RuleKind.PATH.includes(entry);
        }
        if (life.labels == PathLabels.OFF) {
            check(found.equals(wanted), "rules differ: " + Maps.difference(found, wanted));
            check(!isAnyLabel, "rules of labels");
        } else {
            check(wanted.keySet().stream().map(hop -> hop.split("@")[0]).collect(Collectors.toSet())
                          .equals(tuples.stream().map(FiveTuple::toString).collect(Collectors.toSet())), "rules of " + tuples + " instead of " + wanted);
            check(!life.store.live().isEmpty() || !isAnyLabel, "rules of labels, and nobody uses them");
        }
    }

    private static void hops(Map<String, Integer> wanted, FiveTuple tuple, List<Link> path, ConnectPoint last) {
        path.forEach(link -> wanted.merge(hop(tuple, link.src()), 1, Integer::sum));
        wanted.merge(hop(tuple, last), 1, Integer::sum);
    }

    private static String hop(FiveTuple tuple, ConnectPoint out) {
        return tuple + "@" + out;
    }

    private static ConnectPoint output(FlowEntry entry) {
        for (Instruction instruction : entry.treatment().allInstructions()) {
            if (instruction instanceof OutputInstruction) {
                return new ConnectPoint(entry.deviceId(), ((OutputInstruction) instruction).port());
            }
        }
        throw new AssertionError(entry + " leads nowhere");
    }

    private void checkResources() {
        Map<ConnectPoint, Double> wanted = new HashMap<>();
        for (Connection connection : life.store.live()) {
            for (Subflow subflow : connection.subflows()) {
                if (subflow.isRouted()) {
                    boolean fromClient = subflow.fromClient();
                    double there = fromClient ? subflow.expected().up() : subflow.expected().down();
                    double back = fromClient ? subflow.expected().down() : subflow.expected().up();
                    subflow.path().forEach(link -> wanted.merge(link.src(), there, Double::sum));
                    subflow.reversePath().forEach(link -> wanted.merge(link.src(), back, Double::sum));
                }
            }
        }
        // What could not be released at a link that is lost goes once it is back.
        for (Link link : life.network.links) {
            double reserved = life.network.ledger.allocated(link.src());
            double due = wanted.getOrDefault(link.src(), 0.0);
            check(Math.abs(reserved - due) <= ROUNDING * Life.MOST, reserved + " bit/s reserved at " + link.src() + " instead of " + due);
        }
    }
}
