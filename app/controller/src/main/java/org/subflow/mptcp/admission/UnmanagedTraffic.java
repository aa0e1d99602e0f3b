// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.plain.BusyServices;
import org.subflow.mptcp.plain.PlainTraffic;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.FlagCopies;
import org.subflow.mptcp.segment.Ignored;
import org.subflow.mptcp.topology.Attachments;

/**
 * What packets of connections without paths need. A switch that copies SYN, FIN and RST leaves them to other applications;
 * there, only what nobody else forwards gets rules. Any other switch sends them to the controller until rules take them off.
 * Thread-safe.
 */
public final class UnmanagedTraffic {
    private static final int MOST_REMEMBERED = 20_000;
    private static final int REMEMBERED_MINUTES = 10;

    private final PlainTraffic traffic;
    private final BusyServices services;
    private final DetectCounters counters;
    private final WakeRules wakeRules;
    private final FlagCopies copies;
    private final Attachments attachments;
    private final Ignored ignored;
    private final Cache<FiveTuple, Boolean> unclaimed = memory();
    /** Five-tuples for which rules of plain TCP were installed, either way round. */
    private final Cache<FiveTuple, Boolean> forwarded = memory();

    public UnmanagedTraffic(PlainTraffic traffic, BusyServices services, WakeRules wakeRules, FlagCopies copies,
                            Attachments attachments, Ignored ignored, DetectCounters counters) {
        this.traffic = checkNotNull(traffic, "traffic");
        this.services = checkNotNull(services, "services");
        this.counters = checkNotNull(counters, "counters");
        this.wakeRules = checkNotNull(wakeRules, "wakeRules");
        this.copies = checkNotNull(copies, "copies");
        this.attachments = checkNotNull(attachments, "attachments");
        this.ignored = checkNotNull(ignored, "ignored");
    }

    private static Cache<FiveTuple, Boolean> memory() {
        return CacheBuilder.newBuilder().maximumSize(MOST_REMEMBERED)
                .expireAfterAccess(REMEMBERED_MINUTES, TimeUnit.MINUTES).build();
    }

    /**
     * Installs rules of plain TCP, unless other applications forward the connection. What the control loop decides about has them
     * meanwhile: by way of the controller its packets meet no link's limit, and TCP would send more than a path holds before the path
     * has rules.
     */
    void forward(FiveTuple tuple) {
        betweenPorts(tuple, (source, destination) -> {
            boolean othersForward = areCopied(source, destination) && !isUnclaimed(tuple);
            if (!othersForward) {
                forwarded.put(tuple, true);
                traffic.forward(tuple, source, destination);
            }
        });
    }

    /** Does something with the ports of a five-tuple's source and destination, if both are known. */
    private void betweenPorts(FiveTuple tuple, BiConsumer<ConnectPoint, ConnectPoint> action) {
        attachments.port(tuple).ifPresent(source -> attachments.port(tuple.reversed())
                .ifPresent(destination -> action.accept(source, destination)));
    }

    /**
     * Installs rules of plain TCP for one direction of a connection, from where its packets come in. So it is with packets of a
     * host that ONOS knows at another port, or not at all, and with those for which a path's rules are at another port.
     */
    void forwardFrom(ConnectPoint port, FiveTuple tuple) {
        forwarded.put(tuple, true);
        traffic.forwardFrom(port, tuple);
    }

    /**
     * Notes a new connection. Where its packets come to the controller, and its service has too many new ones, all packets of
     * the service go the plain way for a while. Copies are few, so they come of all.
     *
     * @param initiators  five-tuple of its first subflow, as its client sends it; not null
     * @param mayGoUnseen  whether it needs paths only later; asked when its service has too many; not null
     */
    void opened(FiveTuple initiators, BooleanSupplier mayGoUnseen) {
        betweenPorts(initiators, (source, destination) -> {
            int seconds = areCopied(source, destination) ? 0 : services.opened(initiators, mayGoUnseen);
            if (seconds > 0) {
                counters.increment(Counter.BUSY_SERVICE);
                traffic.forwardService(initiators, source, destination, seconds);
            }
        });
    }

    private boolean areCopied(ConnectPoint source, ConnectPoint destination) {
        return copies.on(source.deviceId()) && copies.on(destination.deviceId());
    }

    /** Counts a connection that its SYN and SYN/ACK have shown as MPTCP, and a later segment as plain TCP. */
    void fellBack() {
        counters.increment(Counter.ESTABLISHED_FELL_BACK);
    }

    /** Installs rules for a connection whose begin was not seen, unless it is likely to end soon. */
    void forwardMidstream(FiveTuple tuple) {
        if (!services.mayBeShort(tuple)) {
            forward(tuple);
        }
    }

    /** Returns whether other applications lead the frames of a new MPTCP connection; then it is plain TCP, and that is counted. */
    boolean isOthers(FiveTuple tuple) {
        if (!attachments.isOthers(tuple)) {
            return false;
        }
        refused(tuple);
        return true;
    }

    /** Counts an MPTCP connection that cannot be managed if its hosts are the reason, and says so. */
    void refused(FiveTuple tuple) {
        for (FiveTuple end : List.of(tuple, tuple.reversed())) {
            attachments.obstacle(end).ifPresent(obstacle -> ignored.connection(end.source(), obstacle));
        }
    }

    /** Notes that no other application forwards the packets of a five-tuple. */
    void unclaimed(FiveTuple tuple) {
        unclaimed.put(tuple, true);
    }

    /** Returns whether no other application forwards the packets of a connection, as far as they have come here. */
    boolean isUnclaimed(FiveTuple tuple) {
        return has(unclaimed, tuple);
    }

    private static boolean has(Cache<FiveTuple, Boolean> memory, FiveTuple tuple) {
        return memory.getIfPresent(tuple) != null || memory.getIfPresent(tuple.reversed()) != null;
    }

    /**
     * Asks for the next packet from the source of a five-tuple, where it would not come to the controller: its switch copies
     * segments, or has rules of plain TCP for it.
     *
     * @param tuple its source sends the packet; not null
     */
    public void awaitPacket(FiveTuple tuple) {
        attachments.port(tuple).filter(port -> has(forwarded, tuple) || copies.on(port.deviceId()))
                .ifPresent(port -> wakeRules.watch(tuple, port));
    }

    /** Asks no longer for it. */
    public void ignore(FiveTuple tuple) {
        wakeRules.ignore(tuple);
    }

    /** Asks no longer for any of them. */
    void ignoreAll(Collection<FiveTuple> tuples) {
        tuples.forEach(wakeRules::ignore);
    }

    /** Asks no longer for packets but those that are wanted, and removes rules that were left. */
    void sweep(Predicate<FiveTuple> isWanted) {
        wakeRules.sweep(isWanted);
    }

    /** Returns whether a packet of a five-tuple has been asked for. */
    public boolean isAwaited(FiveTuple tuple) {
        return wakeRules.isWatched(tuple) || wakeRules.isWatched(tuple.reversed());
    }
}
