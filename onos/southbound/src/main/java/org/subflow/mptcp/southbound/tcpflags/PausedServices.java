// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.onlab.packet.IpAddress;
import org.onosproject.openflow.controller.Dpid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds what the new connections of one service cost. One bound is for what a client opens to one port of a server's address:
 * a client with several addresses at a switch port opens subflows from all of them. If more SYNs are answered in a second, the
 * service is paused for a while: {@link FirstTables} has the switches bring none of its segments. So of a client's thousand short
 * connections in a second some are seen, and the others cost the controller nothing.
 *
 * <p>A pause begins with the SYNs. FINs and RSTs follow {@link #FINISH_MILLIS} later, so that the ends of short connections
 * are seen whose beginnings were.
 *
 * <p>The threads that read switches' messages ask {@link #admits}. All else is done on the worker of the first tables.
 */
final class PausedServices {

    /** How long a pause is, in milliseconds. */
    static final long PAUSE_MILLIS = 2000;

    /** For so long FINs and RSTs are still copied in a pause, in milliseconds. */
    static final long FINISH_MILLIS = 400;

    /** After so long without a pause a service counts as one that keeps to its bound, in milliseconds. */
    static final long LATE_MILLIS = 16_000;

    /** Limit of bounds whose services are paused at a time. Each client address of them has a rule in one switch or two. */
    static final int MOST = 8;

    /** Limit of bounds; the ones used longest ago are forgotten. */
    static final int MOST_COUNTED = 4096;

    private static final Logger log = LoggerFactory.getLogger(PausedServices.class);

    private final IntSupplier most;
    private final LongSupplier clock;
    private final PausedPorts.Worker worker;
    private final BiPredicate<IpAddress, SwitchPort> isAt;
    private final Consumer<Dpid> changed;

    private final AnsweredSyns<ServiceBound> syns = new AnsweredSyns<>();
    private final Cache<Client, ServiceBound> bounds;
    /** Those that are paused now; for the worker. */
    private final Set<ServiceBound> paused = new LinkedHashSet<>();
    /** Those that are paused now or were of late; for the worker. */
    private final Set<ServiceBound> late = new LinkedHashSet<>();

    /**
     * Makes the bounds.
     *
     * @param most how many SYNs of a bound may be answered in a second; 0 for any number
     * @param clock the time in nanoseconds, as {@link System#nanoTime} gives it
     * @param isAt whether the host with an address may be at a port; asked on the worker
     * @param changed told on the worker of each switch whose services begin or end a pause
     */
    PausedServices(IntSupplier most, LongSupplier clock, PausedPorts.Worker worker, BiPredicate<IpAddress, SwitchPort> isAt,
            Consumer<Dpid> changed) {
        this.most = most;
        this.clock = clock;
        this.worker = worker;
        this.isAt = isAt;
        this.changed = changed;
        Ticker ticker = new Ticker() {
            @Override
            public long read() {
                return clock.getAsLong();
            }
        };
        this.bounds = CacheBuilder.newBuilder().ticker(ticker).maximumSize(MOST_COUNTED)
                .expireAfterAccess(LATE_MILLIS, TimeUnit.MILLISECONDS).build();
    }

    /**
     * Counts a copied segment, and tells whether it is to be looked at.
     *
     * @param dpid the switch where it entered the network
     * @param port the port there
     * @param frame the frame; it may be cut
     */
    boolean admits(Dpid dpid, int port, byte[] frame) {
        int bound = most.getAsInt();
        TcpFrame segment = bound == 0 ? null : TcpFrame.of(frame);
        if (segment == null || !segment.isSyn()) {
            return true;
        }
        SwitchPort at = new SwitchPort(dpid, port);
        return segment.isAck() ? admitsAnswer(bound, segment, at) : admitsSyn(segment, at);
    }

    private boolean admitsSyn(TcpFrame syn, SwitchPort at) {
        ServiceBound bound = bound(syn.service(), at);
        if (bound.isPaused()) {
            return false;
        }
        syns.remember(syn, bound);
        return true;
    }

    /** Returns the bound of a service whose SYNs come in at a port. Some addresses there share one. */
    private ServiceBound bound(Service service, SwitchPort at) {
        ServiceBound shared = bounds.asMap().computeIfAbsent(new Client(at, service, true), c -> newBound(at));
        if (shared.add(service)) {
            return shared;
        }
        ServiceBound own = bounds.asMap().computeIfAbsent(new Client(at, service, false), c -> newBound(at));
        own.add(service);
        return own;
    }

    private ServiceBound newBound(SwitchPort at) {
        return new ServiceBound(at, clock.getAsLong());
    }

    /** A SYN/ACK counts if it answers a SYN that came in elsewhere: nobody pauses the services of others by invented ones. */
    private boolean admitsAnswer(int most, TcpFrame answer, SwitchPort at) {
        ServiceBound bound = syns.answered(answer, asking -> !asking.isFrom(at));
        if (bound == null) {
            return true;
        }
        PortBound.Answer counted = bound.answered(most, at, clock.getAsLong());
        if (counted == PortBound.Answer.BEGINS_PAUSE) {
            worker.after(0, () -> pause(bound));
        }
        return counted == PortBound.Answer.TAKEN;
    }

    /** {@return what a switch brings none of now; for the worker} */
    Set<UnseenSegments> unseen(Dpid dpid) {
        Set<UnseenSegments> unseen = new HashSet<>();
        if (most.getAsInt() > 0) {
            paused.forEach(service -> unseen.addAll(service.unseen(dpid)));
        }
        return unseen;
    }

    /** {@return the services that are paused now or were {@link #LATE_MILLIS} ago, by a switch that brings them; for the worker} */
    Set<Service> pausedOfLate(Dpid dpid) {
        Set<Service> services = new LinkedHashSet<>();
        if (most.getAsInt() > 0) {
            late.stream().filter(service -> service.switches().contains(dpid)).forEach(service -> services.addAll(service.services()));
        }
        return services;
    }

    private void pause(ServiceBound service) {
        // A client whose address others use must not lose its paths by that.
        if (paused.size() >= MOST || !service.retain(isAt)) {
            service.resume(clock.getAsLong());
            return;
        }
        paused.add(service);
        if (late.add(service)) {
            log.info("More than {} new connections a second from {}: from now on not all of them are seen", most.getAsInt(),
                    service);
        }
        int pauses = service.nextPause();
        tell(service);
        worker.after(FINISH_MILLIS, () -> finish(service));
        worker.after(PAUSE_MILLIS, () -> resume(service, pauses));
    }

    private void finish(ServiceBound service) {
        service.finish();
        tell(service);
    }

    private void resume(ServiceBound service, int pauses) {
        paused.remove(service);
        service.resume(clock.getAsLong());
        tell(service);
        worker.after(LATE_MILLIS, () -> forget(service, pauses));
    }

    /** Forgets a service's pauses, unless another one began after these. */
    private void forget(ServiceBound service, int pauses) {
        if (service.pauses() == pauses && late.remove(service)) {
            tell(service);
        }
    }

    private void tell(ServiceBound service) {
        service.switches().forEach(changed);
    }

    /** A port where SYNs to a server's port come in: those of some addresses, or those of one. Immutable. */
    private static final class Client {
        private final SwitchPort at;
        private final IpAddress server;
        private final int serverPort;
        /** Null for some addresses. */
        private final IpAddress address;

        Client(SwitchPort at, Service service, boolean isShared) {
            this.at = at;
            this.server = service.server();
            this.serverPort = service.port();
            this.address = isShared ? null : service.client();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Client && serverPort == ((Client) other).serverPort && at.equals(((Client) other).at)
                    && server.equals(((Client) other).server) && Objects.equals(address, ((Client) other).address);
        }

        @Override
        public int hashCode() {
            return Objects.hash(at, server, serverPort, address);
        }
    }
}
