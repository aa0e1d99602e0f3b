// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.subflow.mptcp.farm.Connection.Flow;
import org.subflow.mptcp.farm.Connection.Subflow;

/**
 * Connections between hosts of different pods, drawn at random: handshakes, what the controller asks for, counters, ends. Each
 * client may open some hundred connections a second to a port of a server before the embedded ONOS looks at a part of them only, so
 * servers have many ports.
 */
final class Traffic {
    /** From a SYN to its answer, and from there to the next subflow's SYN, in milliseconds. */
    private static final double STEP_MILLIS = 1;
    /** How long a connection's next packet takes that the controller has asked for. */
    private static final double NEXT_PACKET_MILLIS = 20;
    private static final double TICK_MILLIS = 2;
    private static final int FIRST_SERVER_PORT = 5201;
    private static final int SERVER_PORTS = 64;
    private static final int FIRST_CLIENT_PORT = 10_000;
    private static final int CLIENT_PORTS = 50_000;
    private static final int PAYLOAD = 100;
    /** Acknowledgements take so much of what is sent. */
    private static final int DATA_PER_ACKNOWLEDGEMENTS = 40;

    private final Farm farm;
    private final Loop loop;
    private final int subflows;
    private final long bytesPerSecond;
    private final SplittableRandom chance;
    private final Set<Connection> alive = new LinkedHashSet<>();
    private final Map<Tuple, Flow> flows = new HashMap<>();
    private final Map<Integer, Integer> nextPort = new HashMap<>();
    private final List<Long> setUps = new ArrayList<>();
    private long opened;
    private long closed;
    private long copied;
    private long unseen;
    private long asked;
    private int ruled;

    /**
     * Makes it, without a connection.
     *
     * @param subflows       of each connection, 1 or more
     * @param bytesPerSecond that each subflow sends
     */
    Traffic(Farm farm, Loop loop, int subflows, long bytesPerSecond, long seed) {
        this.farm = farm;
        this.loop = loop;
        this.subflows = subflows;
        this.bytesPerSecond = bytesPerSecond;
        this.chance = new SplittableRandom(seed);
        farm.setCounters(this::bytes);
        farm.addListener(this::added);
    }

    /**
     * Opens connections at a rate.
     *
     * @param perSecond  how many in a second
     * @param lifeMillis after how long each ends; 0 for never
     * @param done       is called when the last one has been opened, and has ended if it does
     */
    void open(int count, double perSecond, double lifeMillis, Runnable done) {
        open(System.nanoTime(), 0, count, perSecond, lifeMillis, done);
    }

    private void open(long begun, int before, int count, double perSecond, double lifeMillis, Runnable done) {
        int due = (int) Math.min(count, (System.nanoTime() - begun) * 1e-9 * perSecond + 1);
        for (int number = before; number < due; number++) {
            Connection connection = begin();
            if (lifeMillis > 0) {
                loop.after(lifeMillis, () -> close(connection));
            }
        }
        if (due < count) {
            loop.after(TICK_MILLIS, () -> open(begun, due, count, perSecond, lifeMillis, done));
        } else {
            loop.after(lifeMillis + (2 * subflows + 2) * STEP_MILLIS, done);
        }
    }

    /** Ends all connections, so many in a second. */
    void closeAll(double perSecond, Runnable done) {
        closeSome(new ArrayList<>(alive), 0, System.nanoTime(), perSecond, done);
    }

    private void closeSome(List<Connection> those, int before, long begun, double perSecond, Runnable done) {
        int due = (int) Math.min(those.size(), (System.nanoTime() - begun) * 1e-9 * perSecond + 1);
        those.subList(before, due).forEach(this::close);
        if (due < those.size()) {
            loop.after(TICK_MILLIS, () -> closeSome(those, due, begun, perSecond, done));
        } else {
            loop.after(2 * STEP_MILLIS, done);
        }
    }

    private Connection begin() {
        List<Fabric.Host> hosts = farm.fabric().hosts();
        Fabric.Host client = hosts.get(chance.nextInt(hosts.size()));
        Fabric.Host server = client;
        while (server.pod() == client.pod()) {
            server = hosts.get(chance.nextInt(hosts.size()));
        }
        Connection connection = new Connection(client, server, chance.nextLong(), chance.nextLong());
        alive.add(connection);
        opened++;
        int serverPort = FIRST_SERVER_PORT + chance.nextInt(SERVER_PORTS);
        for (int number = 0; number < subflows; number++) {
            loop.after(2 * number * STEP_MILLIS, () -> syn(connection, serverPort));
        }
        return connection;
    }

    private void syn(Connection connection, int serverPort) {
        if (!alive.contains(connection)) {
            return;
        }
        Tuple tuple = tuple(connection, serverPort);
        Subflow subflow = new Subflow(connection, tuple, chance.nextInt(), chance.nextInt(), System.nanoTime());
        connection.subflows.add(subflow);
        flows.put(tuple, new Flow(subflow, true));
        flows.put(tuple.reversed(), new Flow(subflow, false));
        int nonce = chance.nextInt();
        send(subflow, true, Frames.SYN, 0, subflow.isFirst() ? Options.capableSyn()
                : Options.joinSyn(connection.subflows.size(), Options.token(connection.serverKey), nonce));
        loop.after(STEP_MILLIS, () -> send(subflow, false, Frames.SYN | Frames.ACK, 0,
                subflow.isFirst() ? Options.capableSynAck(connection.serverKey)
                        : Options.joinSynAck(0, connection.serverKey, connection.clientKey, chance.nextInt(), nonce)));
    }

    private Tuple tuple(Connection connection, int serverPort) {
        for (int tried = 0; tried < CLIENT_PORTS; tried++) {
            int port = FIRST_CLIENT_PORT + nextPort.merge(connection.client.number(), 1, (a, b) -> (a + b) % CLIENT_PORTS);
            Tuple tuple = new Tuple(connection.client.address(), connection.server.address(), port, serverPort);
            if (!flows.containsKey(tuple)) {
                return tuple;
            }
        }
        throw new IllegalStateException("a host has no port left");
    }

    private void close(Connection connection) {
        if (!alive.remove(connection)) {
            return;
        }
        closed++;
        for (Subflow subflow : connection.subflows) {
            send(subflow, true, Frames.FIN | Frames.ACK, 1, new byte[0]);
            loop.after(STEP_MILLIS, () -> {
                send(subflow, false, Frames.FIN | Frames.ACK, 1, new byte[0]);
                flows.remove(subflow.tuple);
                flows.remove(subflow.tuple.reversed());
            });
            ruled -= subflow.isRuled() ? 1 : 0;
        }
    }

    private void send(Subflow subflow, boolean fromClient, int flags, int sent, byte[] options) {
        Flow flow = new Flow(subflow, fromClient);
        if (farm.copy(flow.sender(), frame(flow, flags, sent, options, 0))) {
            copied++;
        } else {
            unseen++;
        }
    }

    private byte[] frame(Flow flow, int flags, long sent, byte[] options, int payload) {
        Subflow subflow = flow.subflow();
        int own = flow.isForward() ? subflow.clientNumber : subflow.serverNumber;
        int others = flow.isForward() ? subflow.serverNumber : subflow.clientNumber;
        return Frames.segment(flow.sender(), flow.receiver(), flow.tuple(), flags, own + (int) sent,
                              others + 1, options, payload);
    }

    private void added(FarmSwitch sw, Rule rule) {
        Flow flow = rule.tuple() == null || rule.place().table() == 0 ? null : flows.get(rule.tuple());
        if (flow == null || flow.sender().at().node() != sw.number()) {
            return;
        }
        if (rule.isToController()) {
            asked++;
            loop.after(NEXT_PACKET_MILLIS, () -> next(sw, rule, flow));
        } else if (rule.out() > 0 && flow.ruled(System.nanoTime())) {
            setUps.add(System.nanoTime() - flow.subflow().openedNanos);
            ruled++;
        }
    }

    /** Brings the next packet of a connection, if its rule is still there. */
    private void next(FarmSwitch sw, Rule rule, Flow flow) {
        if (sw.table().has(rule) && alive.contains(flow.subflow().connection)) {
            long sent = sent(flow, flow.subflow().openedNanos);
            sw.packetIn(flow.sender().at().port(), FarmSwitch.APPLICATIONS_TABLE, rule.cookie(),
                        frame(flow, Frames.ACK | Frames.PSH, 1 + sent, Options.dss((int) sent), PAYLOAD));
        }
    }

    private long bytes(Rule rule) {
        Flow flow = flows.get(rule.tuple());
        return flow == null ? 0 : sent(flow, rule.sinceNanos());
    }

    private long sent(Flow flow, long since) {
        long nanos = System.nanoTime() - Math.max(since, flow.subflow().openedNanos);
        return (long) (nanos * 1e-9 * bytesPerSecond) / (flow.isForward() ? 1 : DATA_PER_ACKNOWLEDGEMENTS);
    }

    Collection<Connection> alive() {
        return alive;
    }

    /** Calls back with each direction of each living subflow. */
    void forEachFlow(Consumer<Flow> consumer) {
        alive.forEach(connection -> connection.subflows.forEach(subflow -> {
            consumer.accept(new Flow(subflow, true));
            consumer.accept(new Flow(subflow, false));
        }));
    }

    /** {@return how long subflows took from SYN to rules for both directions, since the last call, in nanoseconds} */
    List<Long> takeSetUps() {
        List<Long> taken = List.copyOf(setUps);
        setUps.clear();
        return taken;
    }

    long opened() {
        return opened;
    }

    long closed() {
        return closed;
    }

    /** {@return how many segments a rule has brought to the controller, dropped ones included} */
    long copied() {
        return copied;
    }

    /** {@return how many segments no rule brought to the controller} */
    long unseen() {
        return unseen;
    }

    /** {@return how often the controller has asked for a connection's next packet} */
    long asked() {
        return asked;
    }

    /** {@return how many living subflows have had rules for both directions} */
    int ruled() {
        return ruled;
    }
}
