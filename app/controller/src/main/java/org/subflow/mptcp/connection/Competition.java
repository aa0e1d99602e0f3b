// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.share.SharingProblem;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * Who competes for the network, as a {@link SharingProblem}.
 *
 * <p>Each direction of a connection is a competitor of its own, limited by what it wants and may have, with the weight
 * of its terms; other traffic on a link is one more competitor there, limited by what it sends. Backups and subflows
 * without a path take no part. Immutable.
 */
final class Competition {
    private final SharingProblem problem;
    private final Map<ConnectionId, Integer> up;
    private final Map<ConnectionId, Integer> down;
    private final List<Flow> flows;

    private Competition(SharingProblem problem, Map<ConnectionId, Integer> up, Map<ConnectionId, Integer> down,
                        List<Flow> flows) {
        this.problem = problem;
        this.up = up;
        this.down = down;
        this.flows = flows;
    }

    /**
     * Lists the competitors, always in the same order: connections as given, up before down, then other traffic by link.
     *
     * @param network     the network with its capacities
     * @param connections the connections that are on it
     * @param wants       the most that a connection wants up (true) or down (false), bit/s; infinite if unknown
     * @param others      what a directed link carries beside our subflows, bit/s
     * @return the competition
     */
    static Competition of(NetworkSnapshot network, List<Connection> connections,
                          ToDoubleBiFunction<ConnectionId, Boolean> wants, ToDoubleFunction<Link> others) {
        SharingProblem.Builder problem = SharingProblem.builder(network.graph().capacities());
        Map<ConnectionId, Integer> up = new HashMap<>();
        Map<ConnectionId, Integer> down = new HashMap<>();
        List<Flow> flows = new ArrayList<>();
        int count = 0;
        for (Connection connection : connections) {
            for (boolean upwards : new boolean[] {true, false}) {
                int before = flows.size();
                addFlows(network, connection, upwards, flows);
                if (flows.size() > before) {
                    problem.connection(connection.terms().weight(), Math.min(
                            connection.terms().cap(), wants.applyAsDouble(connection.id(), upwards)));
                    flows.subList(before, flows.size()).forEach(flow -> problem.subflow(flow.arcs));
                    (upwards ? up : down).put(connection.id(), count++);
                }
            }
        }
        for (int arc = 0; arc < network.graph().arcCount(); arc++) {
            double other = others.applyAsDouble(network.link(arc));
            if (other > 0) {
                problem.connection(1, other).subflow(arc);
            }
        }
        return new Competition(problem.build(), up, down, flows);
    }

    private static void addFlows(NetworkSnapshot network, Connection connection, boolean upwards, List<Flow> flows) {
        for (Subflow subflow : connection.subflows()) {
            List<Link> links = upwards == subflow.fromClient() ? subflow.path() : subflow.reversePath();
            int[] arcs = links.stream().mapToInt(network::arc).filter(arc -> arc >= 0).toArray();
            if (subflow.state() == SubflowState.ACTIVE && arcs.length > 0 && arcs.length == links.size()) {
                flows.add(new Flow(subflow, upwards, arcs));
            }
        }
    }

    /** Returns the problem; its first connections are our connections' directions. */
    SharingProblem problem() {
        return problem;
    }

    /** Returns the number of one direction of a connection in the problem; empty if it takes no part. */
    OptionalInt number(ConnectionId id, boolean upwards) {
        Integer number = (upwards ? up : down).get(id);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /**
     * Sorts allocated rates by subflow.
     *
     * @param allocated bit/s in the order of the problem's subflows
     * @return bit/s, seen from the connection's client; what is absent gets nothing
     */
    Map<FiveTuple, Rates> bySubflow(double[] allocated) {
        Map<FiveTuple, Rates> rates = new HashMap<>();
        for (int i = 0; i < flows.size(); i++) {
            Flow flow = flows.get(i);
            double rate = Math.max(0, allocated[i]);
            rates.merge(flow.subflow.tuple(), flow.upwards ? Rates.of(rate, 0) : Rates.of(0, rate), Rates::plus);
        }
        return rates;
    }

    /**
     * Returns what the subflows are expected to send as they stand, in the order of the problem; other traffic sends what
     * it sends.
     */
    double[] expected() {
        double[] rates = new double[problem.subflowCount()];
        for (int i = 0; i < rates.length; i++) {
            if (i < flows.size()) {
                Rates expected = flows.get(i).subflow.expected();
                rates[i] = flows.get(i).upwards ? expected.up() : expected.down();
            } else {
                rates[i] = problem.cap(up.size() + down.size() + i - flows.size());
            }
        }
        return rates;
    }

    /** One direction of a subflow, in the order in which they stand in the problem. */
    private static final class Flow {
        private final Subflow subflow;
        private final boolean upwards;
        private final int[] arcs;

        private Flow(Subflow subflow, boolean upwards, int[] arcs) {
            this.subflow = subflow;
            this.upwards = upwards;
            this.arcs = arcs;
        }
    }
}
