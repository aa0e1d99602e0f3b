// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.history;

import static org.onlab.util.Tools.groupedThreads;

import com.google.common.collect.ImmutableList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.link.LinkService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.monitoring.FailedLink;
import org.subflow.mptcp.api.monitoring.FailedSwitch;
import org.subflow.mptcp.api.monitoring.FailureService;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.loop.SteadyClock;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Remembers the links and switches that have failed: ONOS forgets a link at once when it fails, unless it is a durable one, which
 * it then calls inactive. A failed link is remembered as long as ONOS knows both of its ports and no other link is there; a failed
 * switch as long as ONOS knows it. Beyond a limit the oldest are forgotten. Thread-safe.
 */
@Component(immediate = true, service = {FailureService.class, NetworkFailures.class})
public final class NetworkFailures implements FailureService {
    /** Of links, and of switches. */
    static final int MOST = 1000;
    /** Connections that have left one link. */
    static final int MOST_MOVED = 100;
    private static final Logger LOG = LoggerFactory.getLogger(NetworkFailures.class);

    @Reference
    private volatile NetworkView network;

    @Reference
    private volatile DeviceService devices;

    @Reference
    private volatile LinkService links;

    private final LongSupplier clock;
    private final NetworkView.Listener listener;
    private final Runnable stop;
    /** By both ports; the oldest failure comes first. */
    private final Map<Set<ConnectPoint>, FailedLink> failedLinks = bounded();
    private final Map<DeviceId, FailedSwitch> failedSwitches = bounded();
    private NetworkSnapshot last;

    /** Makes a memory with the system's clock. */
    public NetworkFailures() {
        clock = SteadyClock.SYSTEM::epochMillis;
        // Not on the thread of ONOS that tells of changes: it tells others, too, and a large network takes time to compare.
        ControlLoop loop = new ControlLoop(groupedThreads("onos/mptcp", "failures", LOG), 1, SteadyClock.SYSTEM::nanos);
        listener = loop.coalesced(this::look)::run;
        stop = loop::stop;
    }

    /** Makes a memory that looks at each change at once. */
    NetworkFailures(LongSupplier clock) {
        this.clock = clock;
        listener = this::look;
        stop = () -> { };
    }

    private static <K, V> Map<K, V> bounded() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > MOST;
            }
        };
    }

    /** Begins with what ONOS says to be down. */
    @Activate
    void activate() {
        network.addListener(listener);
        begin();
    }

    private synchronized void begin() {
        last = network.snapshot();
        for (Device device : devices.getDevices()) {
            if (last.node(device.id()) < 0) {
                failed(device.id(), devices.getLastUpdatedInstant(device.id()));
            }
        }
        for (Link link : links.getLinks()) {
            if (link.state() == Link.State.INACTIVE) {
                failed(link, 0);
            }
        }
        forget();
    }

    @Deactivate
    void deactivate() {
        network.removeListener(listener);
        stop.run();
    }

    @Override
    public synchronized List<FailedLink> links() {
        return ImmutableList.copyOf(failedLinks.values());
    }

    @Override
    public synchronized List<FailedSwitch> switches() {
        return ImmutableList.copyOf(failedSwitches.values());
    }

    /** Notes which connection has left links that have failed; called after each change of a connection. */
    synchronized void changed(Connection before, Connection after) {
        // A failure may change thousands of connections: what has come back is forgotten by look().
        compare();
        if (failedLinks.isEmpty()) {
            return;
        }
        for (Subflow was : before.subflows()) {
            Set<Link> left = new HashSet<>(was.path());
            after.subflow(was.tuple()).ifPresent(now -> left.removeAll(now.path()));
            left.forEach(link -> failedLinks.computeIfPresent(ends(link), (ends, failed) ->
                    failed.moved().size() < MOST_MOVED ? failed.with(after.id()) : failed));
        }
    }

    private synchronized void look() {
        compare();
        forget();
    }

    /** Compares the network with what it was. */
    private void compare() {
        NetworkSnapshot now = network.snapshot();
        if (now != last) {
            last.devices().stream().filter(device -> now.node(device) < 0)
                    .forEach(device -> failed(device, clock.getAsLong()));
            last.links().stream().filter(link -> now.arc(link) < 0).forEach(link -> failed(link, last.capacity(link)));
            last = now;
        }
    }

    private void failed(DeviceId device, long millis) {
        failedSwitches.putIfAbsent(device, new FailedSwitch(device, millis > 0 ? millis : clock.getAsLong()));
    }

    private void failed(Link link, double capacity) {
        failedLinks.putIfAbsent(ends(link), new FailedLink(link, capacity, clock.getAsLong(), Set.of()));
    }

    private static Set<ConnectPoint> ends(Link link) {
        return Set.of(link.src(), link.dst());
    }

    /** Forgets what is back, and what ONOS has forgotten. */
    private void forget() {
        failedSwitches.keySet().removeIf(device -> last.node(device) >= 0 || devices.getDevice(device) == null);
        if (!failedLinks.isEmpty()) {
            Set<ConnectPoint> used = last.links().stream().map(Link::src).collect(Collectors.toSet());
            failedLinks.keySet().removeIf(ends -> ends.stream().anyMatch(
                    end -> used.contains(end) || devices.getDevice(end.deviceId()) == null || devices.getPort(end) == null));
        }
    }
}
