// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.share.SharingProblem;

/**
 * The competitors for the bandwidth of a network, as a {@link SharingProblem}.
 *
 * <p>Each direction of a connection is a competitor of its own. Its demand and its cap limit it; its weight is that of the
 * connection's terms. Other traffic on an arc is one more competitor there, limited by its measured rate. Backups, subflows
 * without a path and directions without demand take no part. Immutable.
 */
public final class Competition {
    private static final int ABSENT = -1;

    private final NetworkState network;
    private final SharingProblem problem;
    /** The number of each connection's directions in the problem. */
    private final int[] up;
    private final int[] down;
    private final List<Flow> flows;

    private Competition(NetworkState network, SharingProblem problem, int[] up, int[] down, List<Flow> flows) {
        this.network = network;
        this.problem = problem;
        this.up = up;
        this.down = down;
        this.flows = flows;
    }

    /** One direction of a subflow, in the order in which they stand in the problem. */
    private static final class Flow {
        private final int connection;
        private final int subflow;
        private final boolean upwards;

        private Flow(int connection, int subflow, boolean upwards) {
            this.connection = connection;
            this.subflow = subflow;
            this.upwards = upwards;
        }
    }

    /** Lists the competitors, always in the same order: connections as given, up before down, then other traffic by arc. */
    public static Competition of(NetworkState network) {
        return of(network, network.graph().capacities());
    }

    /** Lists the competitors, as above, for a network whose arcs have other capacities, bit/s. */
    static Competition of(NetworkState network, double[] capacities) {
        SharingProblem.Builder problem = SharingProblem.builder(capacities);
        int count = network.connections().size();
        int[] up = new int[count];
        int[] down = new int[count];
        List<Flow> flows = new ArrayList<>();
        int number = 0;
        for (int c = 0; c < count; c++) {
            up[c] = add(network.connections().get(c), c, true, problem, flows) ? number++ : ABSENT;
            down[c] = add(network.connections().get(c), c, false, problem, flows) ? number++ : ABSENT;
        }
        addOtherTraffic(network, problem);
        return new Competition(network, problem.build(), up, down, flows);
    }

    /** Adds the other traffic on each arc as a competitor of its own, limited by its rate. */
    static void addOtherTraffic(NetworkState network, SharingProblem.Builder problem) {
        for (int arc = 0; arc < network.graph().arcCount(); arc++) {
            if (network.otherTraffic(arc) > 0) {
                problem.connection(1, network.otherTraffic(arc)).subflow(arc);
            }
        }
    }

    /** Adds one direction of a connection; returns whether it takes part. */
    private static boolean add(PlacedConnection connection, int index, boolean upwards, SharingProblem.Builder problem,
                               List<Flow> flows) {
        double limit = connection.limit(upwards);
        if (connection.demand().of(upwards) == 0) {
            return false;
        }
        boolean begun = false;
        for (int s = 0; s < connection.subflows().size(); s++) {
            PlacedSubflow subflow = connection.subflows().get(s);
            if (subflow.isActive() && subflow.path().isPresent()) {
                if (!begun) {
                    problem.connection(connection.terms().weight(), limit);
                    begun = true;
                }
                problem.subflow(subflow.arcs(upwards));
                flows.add(new Flow(index, s, upwards));
            }
        }
        return begun;
    }

    /** Returns the problem; its first connections are our connections' directions. */
    public SharingProblem problem() {
        return problem;
    }

    /** Returns the number of one direction of a connection in the problem; empty if it takes no part. */
    OptionalInt number(int connection, boolean upwards) {
        int number = upwards ? up[connection] : down[connection];
        return number == ABSENT ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /**
     * Returns the connections with expected throughputs.
     *
     * @param allocated bit/s in the order of the problem's subflows
     * @return all connections, in their order; a subflow that takes no part has expected throughput 0
     */
    List<PlacedConnection> shared(double[] allocated) {
        List<PlacedConnection> shared = new ArrayList<>(up.length);
        int next = 0;
        for (int c = 0; c < up.length; c++) {
            PlacedConnection connection = network.connections().get(c);
            double[] upRate = new double[connection.subflows().size()];
            double[] downRate = new double[upRate.length];
            for (; next < flows.size() && flows.get(next).connection == c; next++) {
                Flow flow = flows.get(next);
                (flow.upwards ? upRate : downRate)[flow.subflow] = Math.max(0, allocated[next]);
            }
            shared.add(withExpected(connection, upRate, downRate));
        }
        return shared;
    }

    /** Returns the same connection if its rates stay: then nothing has to be known anew of it. */
    private static PlacedConnection withExpected(PlacedConnection connection, double[] upRate, double[] downRate) {
        boolean same = true;
        List<PlacedSubflow> subflows = new ArrayList<>(upRate.length);
        for (int s = 0; s < upRate.length; s++) {
            PlacedSubflow subflow = connection.subflows().get(s);
            Rates rates = Rates.of(upRate[s], downRate[s]);
            boolean stays = subflow.expected().equals(rates);
            same &= stays;
            subflows.add(stays ? subflow : subflow.withExpected(rates));
        }
        return same ? connection : connection.withSubflows(subflows);
    }

    /**
     * Returns the present expected throughputs of the subflows in the order of the problem, then the measured rates of other
     * traffic, in bit/s.
     */
    double[] expected() {
        double[] rates = new double[problem.subflowCount()];
        int directions = problem.connectionCount() - (rates.length - flows.size());
        for (int i = 0; i < rates.length; i++) {
            if (i < flows.size()) {
                Flow flow = flows.get(i);
                Rates expected = network.connections().get(flow.connection).subflows().get(flow.subflow).expected();
                rates[i] = flow.upwards ? expected.up() : expected.down();
            } else {
                rates[i] = problem.cap(directions + i - flows.size());
            }
        }
        return rates;
    }
}
