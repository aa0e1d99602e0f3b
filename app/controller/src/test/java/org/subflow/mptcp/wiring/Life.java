// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.topology.Nets;

/** Connections that come and go, hosts that move, links and switches that fail: at each step something by chance. */
final class Life extends FaultyOnos {
    private static final List<String> CLIENTS = List.of("10.0.0.1", "10.0.0.11", "10.0.0.12", "10.0.0.3");

    private int ports = 1000;
    /** What hosts have begun by segments, oldest first. */
    final List<Talk> talks = new ArrayList<>();

    /** Begins a life; nothing has been opened. */
    Life(long seed) {
        super(seed);
    }

    /** Does something by chance; returns what. */
    String step() {
        pass(faults.random.nextInt(600));
        faults.some(faults.random.nextInt(12));
        List<Connection> known = store.all();
        Connection one = known.isEmpty() ? null : known.get(faults.random.nextInt(known.size()));
        if (faults.random.nextInt(4) == 0) {
            return speaks();
        }
        int kind = faults.random.nextInt(32);
        if (kind < 6 || one == null) {
            return opens();
        }
        switch (kind) {
            case 6:
            case 7:
            case 8:
                return joins(one);
            case 9:
            case 10:
                sending.removeAll(tuples(one));
                return one.id() + " sends no more";
            case 11:
            case 12:
            case 13:
                sending.addAll(tuples(one));
                sending.removeAll(ended);
                return one.id() + " sends";
            case 14:
            case 15:
                return ends(one);
            case 16:
                parts.provisioner.makeIdle(List.of(one));
                return one.id() + " is made idle";
            case 17:
                parts.provisioner.demote(List.of(one));
                return one.id() + " is demoted";
            case 18:
            case 19:
                return changeLinks();
            case 20:
                return moveHost();
            case 21:
                return changeSwitch();
            case 22:
                restart(faults.random.nextBoolean());
                return "starts anew";
            case 23:
                if (network.mayDecide) {
                    network.mayDecide = false;
                } else {
                    // The next mandate begins with what is stored.
                    restart(true);
                }
                return "mandate " + network.mayDecide;
            case 24:
                rules.lose();
                return "a rule is lost";
            case 25:
                faults.later(rules.comesBack());
                return "a rule comes back";
            case 26:
                intents.compileAgain();
                return "compiles again";
            case 27:
                network.ledger.timeOut(faults.random.nextInt(4), 1 + faults.random.nextInt(2), faults.random.nextBoolean());
                return "resources time out";
            case 28:
                pass(IDLE_SECONDS * 1000);
                return "time passes";
            case 29:
                return adds();
            case 30:
                return reuses(one);
            default:
                pass(2000);
                return "waits";
        }
    }

    private static Set<FiveTuple> tuples(Connection connection) {
        Set<FiveTuple> tuples = new HashSet<>();
        connection.subflows().forEach(subflow -> {
            tuples.add(subflow.tuple());
            tuples.add(subflow.tuple().reversed());
        });
        return tuples;
    }

    private FiveTuple tuple() {
        String client = CLIENTS.get(faults.random.nextInt(CLIENTS.size()));
        FiveTuple tuple = network.attachments.withHosts(Stage.tuple(client, ports++)).orElseThrow();
        sending.add(tuple);
        sending.add(tuple.reversed());
        return tuple;
    }

    private String speaks() {
        Talk talk = talks.isEmpty() ? null : talks.get(faults.random.nextInt(talks.size()));
        int kind = faults.random.nextInt(8);
        if (talk == null || kind < 3) {
            talks.add(Talk.opens(tuple(), faults.random));
            speakers.shakeHands(talks.get(talks.size() - 1));
            return "begins by segments";
        }
        if (kind < 5) {
            talks.add(Talk.joins(talk.first, tuple(), faults.random));
            speakers.shakeHands(talks.get(talks.size() - 1));
            return "joins by segments";
        }
        if (kind < 7) {
            speakers.send(talk);
            return "sends segments";
        }
        speakers.end(talk, faults.random.nextBoolean());
        return "ends by segments";
    }

    /** Returns what has earned paths by segments since it was asked last. */
    List<String> earned() {
        List<String> earned = new ArrayList<>();
        for (Talk talk : talks) {
            if (!talk.isManaged && store.owner(talk.tuple).isPresent()) {
                talk.isManaged = true;
                earned.add(talk.isJoin() ? "earns paths for a subflow" : "earns paths");
            }
        }
        return earned;
    }

    private String opens() {
        FiveTuple first = tuple();
        List<Join> joins = new ArrayList<>();
        for (int more = faults.random.nextInt(4); more > 0; more--) {
            joins.add(new Join(tuple(), faults.random.nextBoolean() ? Direction.UP : Direction.DOWN, faults.random.nextInt(5) == 0));
        }
        return open(ConnectionId.of("c" + ports), first, joins);
    }

    private String open(ConnectionId id, FiveTuple first, List<Join> joins) {
        if (!parts.gate.hasTurn(first, true)) {
            return id + " waits";
        }
        boolean isManaged = parts.admission.opened(id, Opening.of(first, joins), 1, Token.of(ports), Token.of(ports + 1), network.millis);
        if (isManaged) {
            admit(first);
            joins.forEach(join -> admit(join.tuple));
        } else {
            parts.gate.leaves(first);
        }
        return id + (isManaged ? " opens" : " is refused");
    }

    /** Another connection with the five-tuple of one that the application still knows. */
    private String reuses(Connection one) {
        Subflow some = one.subflows().get(faults.random.nextInt(one.subflows().size()));
        ports++;
        ended.removeAll(Set.of(some.tuple(), some.tuple().reversed()));
        parts.endings.begins(some.tuple());
        return "over " + one.id() + ": " + open(ConnectionId.of("r" + ports), some.tuple(), List.of());
    }

    private String joins(Connection one) {
        FiveTuple tuple = tuple();
        boolean isManaged = parts.joins.joined(one.id(), new Join(tuple, Direction.UP, faults.random.nextInt(5) == 0));
        if (isManaged) {
            admit(tuple);
        }
        return one.id() + (isManaged ? " is joined" : " is not joined");
    }

    private String adds() {
        FiveTuple tuple = tuple();
        try {
            String added = parts.awaited.add(List.of(tuple), 1 + faults.random.nextInt(20)).id() + " is added";
            admit(tuple);
            return added;
        } catch (IllegalStateException e) {
            return "is not added";
        }
    }

    /** Both hosts end some or all of its subflows. */
    private String ends(Connection one) {
        boolean isAll = faults.random.nextBoolean();
        for (Subflow subflow : one.subflows()) {
            if (isAll || faults.random.nextBoolean()) {
                boolean isReset = faults.random.nextInt(3) == 0;
                parts.endings.ended(subflow.tuple(), isReset, network.millis);
                if (!isReset && !faults.hit(10)) {
                    parts.endings.ended(subflow.tuple().reversed(), false, network.millis);
                }
                ended.add(subflow.tuple());
                ended.add(subflow.tuple().reversed());
                sending.removeAll(ended);
            }
        }
        return one.id() + (isAll ? " ends" : " ends in part");
    }

    private String changeLinks() {
        int middle = 2 + faults.random.nextInt(3);
        int end = faults.random.nextBoolean() ? 1 : 5;
        boolean isThere = network.links.contains(Nets.link(end, middle));
        if (isThere) {
            network.cut(end, middle);
        } else {
            network.mend(end, middle);
        }
        networkChanged();
        return (isThere ? "cut " : "mend ") + end + "-" + middle;
    }

    private String moveHost() {
        network.attach(MOVING_HOST, Nets.edge(2 + faults.random.nextInt(3)), "10.0.0.3");
        moved.run();
        return "host moves";
    }

    private String changeSwitch() {
        int number = 2 + faults.random.nextInt(3);
        boolean isUp = network.switchesDown.add(number);
        if (isUp) {
            switches.up.remove(Nets.device(number));
            rules.forget(Nets.device(number));
        } else {
            comesBack(number);
        }
        networkChanged();
        return (isUp ? "loses switch " : "gets back switch ") + number;
    }
}
