// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.onosproject.openflow.controller.Dpid;
import org.subflow.mptcp.rate.TokenBucket;

/**
 * How many connections begin from a client's port to one port of a server, by a token bucket that holds what a second allows; and
 * the pauses. Thread-safe; the time comes as an argument, in nanoseconds.
 */
final class ServiceBound {

    /** Limit of client addresses that share a bound. */
    static final int MOST_ADDRESSES = 4;

    /** Limit of ports from which a server answers. */
    private static final int MOST_SERVER_PORTS = 4;

    private final SwitchPort client;
    private final Set<Service> services = new LinkedHashSet<>();
    private final Set<SwitchPort> servers = new LinkedHashSet<>();
    private final TokenBucket answers;
    private boolean paused;
    private boolean finished;
    private int pauses;

    /**
     * Makes a bound with a full bucket, of no service yet.
     *
     * @param client where SYNs come in
     */
    ServiceBound(SwitchPort client, long now) {
        this.client = client;
        this.answers = new TokenBucket(now);
    }

    /** {@return whether a service has this bound from now on}; false if as many others have it as may, or are paused */
    synchronized boolean add(Service service) {
        if (services.size() < MOST_ADDRESSES && !paused) {
            services.add(service);
        }
        return services.contains(service);
    }

    /** {@return the services that have this bound, one for each address of the client} */
    synchronized Set<Service> services() {
        return new LinkedHashSet<>(services);
    }

    /**
     * Takes the bound from services whose client is elsewhere.
     *
     * @param isAt whether the host with an address may be at a port
     * @return whether there are others
     */
    synchronized boolean retain(BiPredicate<IpAddress, SwitchPort> isAt) {
        services.removeIf(service -> !isAt.test(service.client(), client));
        return !services.isEmpty();
    }

    /** {@return whether its SYNs come in at a port} */
    boolean isFrom(SwitchPort port) {
        return client.equals(port);
    }

    synchronized boolean isPaused() {
        return paused;
    }

    /**
     * Counts a SYN that is answered: it is taken, or the first beyond the bound, or comes during a pause.
     *
     * @param most how many a second are taken, from 1 to 1,000,000,000
     * @param by where the answer comes in
     */
    synchronized PortBound.Answer answered(int most, SwitchPort by, long now) {
        if (servers.size() < MOST_SERVER_PORTS) {
            servers.add(by);
        }
        if (paused) {
            return PortBound.Answer.PAUSED;
        }
        long cost = TokenBucket.cost(most);
        answers.fill(now);
        if (!answers.has(cost)) {
            paused = true;
            return PortBound.Answer.BEGINS_PAUSE;
        }
        answers.take(cost);
        return PortBound.Answer.TAKEN;
    }

    /** Counts a pause that begins, and returns how many there were so far. */
    synchronized int nextPause() {
        return ++pauses;
    }

    /** Notes that FINs and RSTs are not wanted either, until the pause ends. */
    synchronized void finish() {
        finished = true;
    }

    /** Ends a pause, with a full bucket. */
    synchronized void resume(long now) {
        paused = false;
        finished = false;
        answers.reset(now);
    }

    /** {@return the number of pauses so far} */
    synchronized int pauses() {
        return pauses;
    }

    /** {@return the switches where segments of its services enter the network} */
    synchronized Set<Dpid> switches() {
        Set<Dpid> switches = servers.stream().map(SwitchPort::dpid).collect(Collectors.toCollection(LinkedHashSet::new));
        switches.add(client.dpid());
        return switches;
    }

    /** {@return what a switch does not bring during a pause} */
    synchronized Set<UnseenSegments> unseen(Dpid dpid) {
        Set<UnseenSegments> unseen = new HashSet<>();
        for (Service service : services) {
            if (client.dpid().equals(dpid)) {
                unseen.add(new UnseenSegments(service, UnseenSegments.Sender.CLIENT, client.port(), !finished));
            }
            servers.stream().filter(server -> server.dpid().equals(dpid)).forEach(server -> unseen.add(
                    new UnseenSegments(service, UnseenSegments.Sender.SERVER, server.port(), !finished)));
        }
        return unseen;
    }

    @Override
    public synchronized String toString() {
        return services.stream().map(Service::toString).collect(Collectors.joining(", "));
    }
}
