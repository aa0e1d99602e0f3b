// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.search.Placement;

/**
 * One run: connections arrive, share the network, and end. Rates are constant between two events, so it goes from event to event:
 * an arrival, the end of a connection, a connection that earns its paths, a link that changes, paths after that, new shares. Nothing
 * is drawn here, and nothing depends on a clock. So the same input gives the same result. For one thread.
 */
public final class Simulation {
    /** After a link came up, the controller waits so long before it looks for better paths, in seconds. */
    private static final double QUIET_SECONDS = 2;
    /** With more managed connections it looks for none. */
    private static final int MOST_MOVABLE = 256;
    private static final double NEVER = Double.POSITIVE_INFINITY;

    private final List<Arrival> arrivals;
    private final List<LinkChange> changes;
    private final Parameters parameters;
    private final RunResult result;
    private final Tally tally;
    private final LinkStates links;
    private final Access access;
    private final Router router;
    private final NetworkView view;
    private final Sharing sharing;
    private final ArcUse use;
    /** The connections that are alive, by their numbers: when they end or earn their paths at the present rates, in seconds. */
    private final LevelHeap events;
    private final Connection[] byNumber;
    private final Set<Connection> alive = new LinkedHashSet<>();
    private final Deque<Double> repairs = new ArrayDeque<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private double now;
    private double shareAt = NEVER;
    private double improveAt = NEVER;
    private int arrived;
    private int ended;
    private int changed;
    private boolean wantsSnapshot;

    /**
     * Prepares a run.
     *
     * @param graph      nodes and links, capacities in bit/s; not null
     * @param arrivals   by time, numbered from 0; not null
     * @param changes    of links, by time; not null
     * @param parameters what is the same for all connections; not null
     */
    public Simulation(Graph graph, List<Arrival> arrivals, List<LinkChange> changes, Parameters parameters) {
        this.arrivals = arrivals;
        this.changes = changes;
        this.parameters = parameters;
        result = new RunResult(arrivals.size(), graph.arcCount());
        tally = new Tally(result);
        links = new LinkStates(graph);
        access = new Access(parameters.isHost == null ? new boolean[graph.nodeCount()] : parameters.isHost);
        router = new Router(parameters, access);
        view = new NetworkView(graph);
        sharing = Sharing.of(parameters, graph.arcCount());
        use = new ArcUse(graph.arcCount());
        events = new LevelHeap(arrivals.size());
        byNumber = new Connection[arrivals.size()];
    }

    /**
     * Runs to the end, or until it is told to stop.
     *
     * @param goesOn is asked after each event, with the number of connections that have ended or could not begin; not null
     * @return what happened
     * @throws IllegalArgumentException if the strategy cannot do what is asked of it
     */
    public RunResult run(IntPredicate goesOn) {
        while (!result.interrupted) {
            double next = Math.min(Math.min(nextArrival(), nextChange()), Math.min(nextEvent(), shareAt));
            next = Math.min(next, Math.min(nextRepair(), improveAt));
            // Better paths matter to nobody once all connections have ended.
            if (next == NEVER || alive.isEmpty() && arrived == arrivals.size()) {
                break;
            }
            now = Math.max(now, next);
            tally.until(now);
            step(next);
            tally.alive(alive.size());
            result.interrupted = !goesOn.test(ended);
        }
        alive.forEach(this::leave);
        result.snapshots = List.copyOf(snapshots);
        tally.finish(arrivals.isEmpty() ? 0 : arrivals.get(0).at);
        return result;
    }

    private double nextArrival() {
        return arrived < arrivals.size() ? arrivals.get(arrived).at : NEVER;
    }

    private double nextChange() {
        return changed < changes.size() ? changes.get(changed).at : NEVER;
    }

    private double nextEvent() {
        return events.isEmpty() ? NEVER : events.level[events.first()];
    }

    private double nextRepair() {
        return repairs.isEmpty() ? NEVER : repairs.peek();
    }

    /** Handles what comes first. Of events at the same time, shares are last: they serve all others. */
    private void step(double next) {
        if (next == nextChange()) {
            change(changes.get(changed++));
        } else if (next == nextRepair()) {
            repairs.remove();
            alive.forEach(this::repair);
        } else if (next == improveAt) {
            improveAt = NEVER;
            improve();
        } else if (next == nextArrival()) {
            arrive(arrivals.get(arrived++));
        } else if (next == nextEvent()) {
            reach(byNumber[events.first()]);
        } else {
            share();
        }
    }

    private void dirty() {
        shareAt = Math.min(shareAt, now + parameters.step);
    }

    private void arrive(Arrival arrival) {
        wantsSnapshot |= marks(arrived) > marks(arrived - 1);
        Path path = router.plain(links.graph(), arrival, 0);
        if (path == null) {
            result.paths[arrival.number] = RunResult.BLOCKED;
            ended++;
            return;
        }
        Connection connection = new Connection(arrival, parameters.wireBits(arrival.bytes));
        alive.add(connection);
        byNumber[arrival.number] = connection;
        if (parameters.manageAfterBytes == 0 || parameters.manageAfterSeconds == 0) {
            promote(connection);
        } else {
            connection.on(List.of(path));
            begin(connection);
        }
        if (wantsSnapshot && parameters.step > 0) {
            snapshot();
        }
    }

    /** Estimates the rates of a connection on new paths until shares are computed. */
    private void begin(Connection connection) {
        use.add(connection, links.capacity());
        connection.sumUp();
        plan(connection);
        dirty();
    }

    /** Computes when a connection ends or earns its paths. */
    private void plan(Connection connection) {
        double end = connection.total > 0 ? connection.since + Math.max(0, connection.left) / connection.total : NEVER;
        if (!connection.managed && connection.total > 0) {
            double sent = parameters.wireBits(connection.arrival.bytes) - connection.left;
            double enough = connection.since + Math.max(0, parameters.manageAfterBytes * 8 - sent) / connection.total;
            double earned = Math.min(connection.arrival.at + parameters.manageAfterSeconds, enough);
            end = Math.min(end, Math.max(earned, connection.since));
        }
        events.change(connection.arrival.number, end);
    }

    /** A connection ends, or it earns its paths. */
    private void reach(Connection connection) {
        connection.settle(now);
        // At the moment of its end there is nothing left but rounding.
        double rounding = 1e-9 * parameters.wireBits(connection.arrival.bytes);
        if (connection.left <= rounding || connection.left / connection.total <= 4 * Math.ulp(now)) {
            end(connection);
        } else if (!connection.managed) {
            promote(connection);
        } else {
            plan(connection);
        }
    }

    private void end(Connection connection) {
        result.completion[connection.arrival.number] = now - connection.arrival.at;
        leave(connection);
        use.remove(connection);
        alive.remove(connection);
        events.remove(connection.arrival.number);
        byNumber[connection.arrival.number] = null;
        view.remove(connection);
        ended++;
        dirty();
    }

    private void leave(Connection connection) {
        connection.settle(now);
        tally.carried(connection);
        result.paths[connection.arrival.number] = Math.max(connection.active(), 1);
    }

    private void promote(Connection connection) {
        tally.carried(connection);
        use.remove(connection);
        connection.managed = true;
        // Allocators begin with what has stayed, so what has changed goes to the end.
        alive.remove(connection);
        if (router.isBlind()) {
            connection.on(router.blind(links.graph(), connection.arrival));
        } else {
            view.remove(connection);
            connection.placed = router.placed(view.of(alive), connection.arrival);
            connection.on(router.paths(links.graph(), connection.arrival, connection.placed));
            view.put(connection.placed);
            for (int[] route : connection.routes) {
                tally.rules(links.graph(), route, access);
            }
        }
        alive.add(connection);
        begin(connection);
    }

    private void change(LinkChange change) {
        if (!links.set(change.link, change.up)) {
            return;
        }
        view.on(links.graph());
        repairs.add(now + parameters.repairSeconds);
        if (change.up && !router.isBlind() || improveAt < NEVER) {
            improveAt = now + QUIET_SECONDS;
        }
        for (Connection connection : alive) {
            boolean hit = false;
            for (int s = 0; s < connection.routes.length; s++) {
                if (connection.routes[s] != null && crossesDown(connection.routes[s])) {
                    connection.settle(now);
                    reroute(connection, s, null);
                    hit = true;
                }
            }
            if (hit) {
                connection.placed = connection.placed == null ? null : router.withoutLost(connection);
                plan(connection);
                dirty();
            }
        }
    }

    private boolean crossesDown(int[] route) {
        for (int arc : route) {
            if (links.isDown(arc)) {
                return true;
            }
        }
        return false;
    }

    /** Puts a subflow on another path, or on none. */
    private void reroute(Connection connection, int subflow, Path path) {
        tally.carried(connection, subflow);
        use.remove(connection);
        connection.reroute(subflow, path);
        use.add(connection);
    }

    /** Gives subflows without a path another one, as far as there is any. */
    private void repair(Connection connection) {
        if (connection.active() == connection.routes.length) {
            return;
        }
        connection.settle(now);
        if (connection.placed != null) {
            adopt(connection, router.repaired(view.of(alive), connection));
        } else {
            for (int s = 0; s < connection.routes.length; s++) {
                if (connection.routes[s] == null) {
                    Path path = router.blindAgain(links.graph(), connection, s);
                    if (path != null) {
                        reroute(connection, s, path);
                        tally.move();
                    }
                }
            }
        }
        dirty();
    }

    /** Takes over a placement of a connection in which some subflows have other paths. */
    private void adopt(Connection connection, PlacedConnection placed) {
        List<Path> paths = router.paths(links.graph(), connection.arrival, placed);
        connection.settle(now);
        for (int s = 0; s < paths.size(); s++) {
            Path path = paths.get(s);
            if (path != null && !path.equals(connection.paths[s])) {
                reroute(connection, s, path);
                tally.move();
                tally.rules(links.graph(), connection.routes[s], access);
            }
        }
        connection.placed = placed;
        view.put(placed);
        plan(connection);
        dirty();
    }

    /** Moves connections to better paths one at a time, as the controller does once the network has been quiet. */
    private void improve() {
        List<Connection> managed = new ArrayList<>(alive);
        managed.removeIf(connection -> connection.placed == null);
        if (managed.isEmpty() || managed.size() > MOST_MOVABLE) {
            return;
        }
        Placement placement = new Placement(view.of(alive), parameters.allocator, Placement.LEAST_GAIN_PERCENT);
        placement.share();
        placement.settleOneByOne();
        managed.forEach(connection -> adopt(connection, placement.network().connection(connection.id()).orElseThrow()));
    }

    private void share() {
        shareAt = NEVER;
        double[] rates = sharing.rates(links.capacity(), alive);
        int next = 0;
        for (Connection connection : alive) {
            connection.settle(now);
            for (int s = 0; s < connection.routes.length; s++) {
                connection.rates[s] = connection.routes[s] == null ? 0 : rates[next++];
            }
            connection.sumUp();
            plan(connection);
        }
        use.reset(alive);
        view.ratesChanged();
        tally.rates(alive);
        if (wantsSnapshot && parameters.step == 0 && !alive.isEmpty()) {
            snapshot();
        }
    }

    /** Returns at how many moments rates are to be compared until so many connections have arrived: in the middle of equal parts. */
    private long marks(int number) {
        return (2L * number * parameters.snapshots + arrivals.size()) / (2L * arrivals.size());
    }

    private void snapshot() {
        wantsSnapshot = false;
        snapshots.add(Snapshot.of(now, links.graph(), alive, Sharing.exact(parameters), router));
    }
}
