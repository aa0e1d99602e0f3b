// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import static org.onlab.util.Tools.getIntegerProperty;
import static org.onlab.util.Tools.groupedThreads;
import static org.onlab.util.Tools.isPropertyEnabled;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.onlab.packet.Ethernet;
import org.onlab.packet.ICMP6;
import org.onlab.packet.IPv6;
import org.onlab.packet.IpAddress;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Port;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BasicHostConfig;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.host.DefaultHostDescription;
import org.onosproject.net.host.HostProvider;
import org.onosproject.net.host.HostProviderRegistry;
import org.onosproject.net.host.HostProviderService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.onosproject.net.provider.AbstractProvider;
import org.onosproject.net.provider.ProviderId;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns hosts and their addresses from ARP, NDP and IP packets that come in on edge ports. What a packet tells is written down
 * beside the thread that brings it ({@link LearningQueue}). A host may have some hundred addresses ({@link AddressBound}). A host
 * whose port is up moves only if it is silent there ({@link MoveClaims}), and never to where a link may just be coming or going. A
 * host whose locations are configured is believed at each of them: it bonds links.
 */
@Component(immediate = true, property = {
        HostLocationProvider.REQUEST_ARP + ":Boolean=true",
        HostLocationProvider.REQUEST_NDP + ":Boolean=false",
        HostLocationProvider.HOST_REMOVAL + ":Boolean=true",
        HostLocationProvider.ADDRESSES_FROM_IP + ":Boolean=true",
        HostLocationProvider.MOST_ADDRESSES + ":Integer=" + HostLocationProvider.MOST_ADDRESSES_DEFAULT
    })
public class HostLocationProvider extends AbstractProvider implements HostProvider {

    static final String APPLICATION = "org.onosproject.hostprovider";
    static final String REQUEST_ARP = "requestArp";
    static final String REQUEST_NDP = "requestIpv6ND";
    static final String HOST_REMOVAL = "hostRemovalEnabled";
    static final String ADDRESSES_FROM_IP = "addressesFromIp";
    static final String MOST_ADDRESSES = "mostAddressesPerHost";
    static final int MOST_ADDRESSES_DEFAULT = 256;

    private static final Logger log = LoggerFactory.getLogger(HostLocationProvider.class);

    /** For so many seconds the hosts of a full port are not counted again. */
    private static final long FULL_SECONDS = 10;

    private static final TrafficSelector ARP =
            DefaultTrafficSelector.builder().matchEthType(Ethernet.TYPE_ARP).build();
    private static final List<TrafficSelector> NDP =
            List.of(icmpv6(ICMP6.NEIGHBOR_SOLICITATION), icmpv6(ICMP6.NEIGHBOR_ADVERTISEMENT));

    @Reference
    protected HostProviderRegistry providerRegistry;

    @Reference
    protected HostService hostService;

    @Reference
    protected PacketService packetService;

    @Reference
    protected LinkService linkService;

    @Reference
    protected DeviceService deviceService;

    @Reference
    protected MastershipService mastershipService;

    @Reference
    protected CoreService coreService;

    @Reference
    protected ComponentConfigService cfgService;

    @Reference
    protected NetworkConfigService configuration;

    /** Forget hosts when their port or switch goes down. */
    private volatile boolean hostRemovalEnabled = true;

    /** Learn addresses from plain IP packets, not only from ARP and neighbour discovery. */
    private volatile boolean addressesFromIp = true;

    /** Addresses of a host; further ones replace those that are not used. */
    private volatile int mostAddresses = MOST_ADDRESSES_DEFAULT;

    private final Cache<ConnectPoint, Boolean> full =
            CacheBuilder.newBuilder().expireAfterWrite(FULL_SECONDS, TimeUnit.SECONDS).build();
    private final TransitPorts transit = new TransitPorts(Ticker.systemTicker());
    private final MoveClaims claims;
    private final FamiliarFrames familiar;
    private final AddressBound bound = new AddressBound();
    private final Executor worker;
    private final LearningQueue news;
    private final PacketProcessor processor = this::process;
    private ServiceRegistration<PacketProcessor> observer;
    private final DeviceListener deviceListener = this::deviceChanged;
    private final LinkListener linkListener = this::linkChanged;
    private ApplicationId applicationId;
    private HostProviderService core;

    /** Makes the provider; the framework starts it. */
    public HostLocationProvider() {
        this(Ticker.systemTicker(), Executors.newSingleThreadExecutor(groupedThreads("onos/hosts", "learn", log)));
    }

    HostLocationProvider(Ticker clock, Executor worker) {
        super(new ProviderId("host", "org.onosproject.provider.host"));
        this.worker = worker;
        news = new LearningQueue(worker, clock::read);
        claims = new MoveClaims(clock);
        familiar = new FamiliarFrames(clock);
    }

    @Activate
    protected void activate(ComponentContext context) {
        cfgService.registerProperties(getClass());
        applicationId = coreService.registerApplication(APPLICATION);
        core = providerRegistry.register(this);
        packetService.addProcessor(processor, PacketProcessor.advisor(1));
        // Copies of TCP segments that the southbound takes for others show hosts' further addresses.
        observer = context.getBundleContext().registerService(PacketProcessor.class, processor,
                new Hashtable<>(Map.of("tcp.flags", "observed")));
        deviceService.addListener(deviceListener);
        linkService.addListener(linkListener);
        modified(context);
        log.info("Started");
    }

    @Deactivate
    protected void deactivate() {
        cfgService.unregisterProperties(getClass(), false);
        request(false, ARP);
        NDP.forEach(selector -> request(false, selector));
        linkService.removeListener(linkListener);
        deviceService.removeListener(deviceListener);
        packetService.removeProcessor(processor);
        observer.unregister();
        if (worker instanceof ExecutorService) {
            ((ExecutorService) worker).shutdownNow();
        }
        providerRegistry.unregister(this);
        log.info("Stopped");
    }

    @Modified
    protected void modified(ComponentContext context) {
        Dictionary<?, ?> properties = context.getProperties();
        hostRemovalEnabled = isPropertyEnabled(properties, HOST_REMOVAL, true);
        request(isPropertyEnabled(properties, REQUEST_ARP, true), ARP);
        addressesFromIp = isPropertyEnabled(properties, ADDRESSES_FROM_IP, true);
        mostAddresses = Math.max(1, getIntegerProperty(properties, MOST_ADDRESSES, MOST_ADDRESSES_DEFAULT));
        boolean requestNdp = isPropertyEnabled(properties, REQUEST_NDP, false);
        NDP.forEach(selector -> request(requestNdp, selector));
    }

    @Override
    public void triggerProbe(Host host) {
        // Hosts are believed until their port goes down.
    }

    private void process(PacketContext context) {
        Ethernet frame = context.inPacket().parsed();
        ConnectPoint point = context.inPacket().receivedFrom();
        if (frame == null || point.port().isLogical()) {
            return;
        }
        Optional<FamiliarFrames.Sender> sender = FamiliarFrames.Sender.of(frame, point);
        if (!familiar.contains(sender)) {
            Sighting.of(frame).ifPresent(sighting -> look(sighting, point, sender));
        }
        if (frame.getDestinationMAC().equals(LocationProbe.SENDER)) {
            // Nobody else is to forward a host's answer.
            context.block();
        }
    }

    /** Looks whether a frame tells anything new, which is rare; only then, what is to be believed of it has a queue. */
    private void look(Sighting sighting, ConnectPoint point, Optional<FamiliarFrames.Sender> sender) {
        // What is known comes first: ONOS searches all links for those of a port.
        Host known = hostService.getHost(sighting.host());
        boolean isThere = isAt(known, point);
        if (isThere) {
            claims.refute(known.id());
        }
        if (isThere && fresh(sighting, known).isEmpty()) {
            bound.used(known, sighting.addresses());
            familiar.add(sender);
        } else if (linkService.getLinks(point).isEmpty() && (known != null || !isKnownFull(sighting, point))) {
            news.add(point, () -> learn(sighting, point));
        }
    }

    private static boolean isAt(Host known, ConnectPoint point) {
        return known != null && known.locations().stream().anyMatch(point::equals);
    }

    /** Returns the addresses that a frame tells of a host that is known, or of a new one, null. */
    private Set<IpAddress> fresh(Sighting sighting, Host known) {
        return !addressesFromIp && !sighting.declared() ? Set.of()
                : LearningLimits.news(sighting, known == null ? Set.of() : known.ipAddresses(),
                        // Other VLANs may have the same addresses.
                        address -> hostService.getHostsByIp(address).stream()
                                .anyMatch(host -> host.vlan().equals(sighting.host().vlanId())));
    }

    /** Learns what a frame tells, if that is believed and still new. */
    private void learn(Sighting sighting, ConnectPoint point) {
        Host known = hostService.getHost(sighting.host());
        boolean isThere = isAt(known, point);
        Set<IpAddress> addresses = fresh(sighting, known);
        if (isThere && addresses.isEmpty()) {
            // An earlier frame in the queue has told it.
            bound.used(known, sighting.addresses());
            return;
        }
        boolean isDisbelieved = !linkService.getLinks(point).isEmpty()
                || known == null && isFull(sighting, point)
                || known != null && !isThere && !isConfigured(known.id(), point) && !hasMoved(known, point);
        if (isDisbelieved) {
            return;
        }
        Set<IpAddress> before = known == null ? Set.of() : known.ipAddresses();
        Set<IpAddress> kept = bound.keep(sighting.host(), before, addresses, mostAddresses);
        boolean replace = !kept.containsAll(before);
        core.hostDetected(sighting.host(), new DefaultHostDescription(sighting.host().mac(), sighting.host().vlanId(),
                new HostLocation(point, System.currentTimeMillis()), replace ? kept : addresses), replace);
    }

    /** Returns whether the network configuration has a host at a port. Then the core puts it at all ports that this names. */
    private boolean isConfigured(HostId host, ConnectPoint point) {
        BasicHostConfig stated = configuration.getConfig(host, BasicHostConfig.class);
        return stated != null && stated.locations() != null && stated.locations().stream().anyMatch(point::equals);
    }

    /** Returns whether a host is believed to have moved to a port; asks it at its old one if that is up. */
    private boolean hasMoved(Host host, ConnectPoint point) {
        HostLocation old = host.location();
        Port port = deviceService.getPort(old.deviceId(), old.port());
        if (port == null || !port.isEnabled() || !deviceService.isAvailable(old.deviceId())) {
            return true;
        }
        if (transit.mayBe(point)) {
            return false;
        }
        MoveClaims.Verdict verdict = claims.claim(host.id(), point);
        // The next frame at its old port refutes the claim.
        familiar.clear();
        if (verdict == MoveClaims.Verdict.ASK) {
            LocationProbe.of(host).forEach(packetService::emit);
        }
        return verdict == MoveClaims.Verdict.MOVED;
    }

    /** Returns whether a port had as many hosts as it may when they were counted last. */
    private boolean isKnownFull(Sighting sighting, ConnectPoint point) {
        Boolean evenDeclared = full.getIfPresent(point);
        return evenDeclared != null && (evenDeclared || !sighting.declared());
    }

    /** Returns whether a port has as many hosts as it may; a flood of invented ones costs next to nothing. */
    private boolean isFull(Sighting sighting, ConnectPoint point) {
        if (isKnownFull(sighting, point)) {
            return true;
        }
        int hosts = hostService.getConnectedHosts(point).size();
        boolean isFull = !LearningLimits.mayAppear(sighting, hosts);
        if (isFull) {
            log.warn("{} has {} hosts: for {} s no more are believed there{}", point, hosts, FULL_SECONDS,
                    sighting.declared() ? "" : " without ARP or neighbour discovery");
            full.put(point, sighting.declared());
        }
        return isFull;
    }

    /** A new link shows that the hosts learned at its ports are behind another switch. */
    private void linkChanged(LinkEvent event) {
        if (event.type() == LinkEvent.Type.LINK_ADDED) {
            forget(event.subject().src()::equals, event.subject().src().deviceId());
            forget(event.subject().dst()::equals, event.subject().dst().deviceId());
        } else if (event.type() == LinkEvent.Type.LINK_REMOVED) {
            transit.lostLink(event.subject().src());
            transit.lostLink(event.subject().dst());
        }
    }

    private void deviceChanged(DeviceEvent event) {
        DeviceId device = event.subject().id();
        if (isPortUp(event)) {
            transit.cameUp(new ConnectPoint(device, event.port().number()));
        }
        if (!hostRemovalEnabled) {
            return;
        }
        switch (event.type()) {
            case DEVICE_REMOVED:
            case DEVICE_SUSPENDED:
                forget(point -> true, device);
                break;
            case DEVICE_AVAILABILITY_CHANGED:
                if (!deviceService.isAvailable(device)) {
                    forget(point -> true, device);
                }
                break;
            case PORT_REMOVED:
                forget(new ConnectPoint(device, event.port().number())::equals, device);
                break;
            case PORT_UPDATED:
                if (!event.port().isEnabled()) {
                    forget(new ConnectPoint(device, event.port().number())::equals, device);
                }
                break;
            default:
                break;
        }
    }

    private static boolean isPortUp(DeviceEvent event) {
        return (event.type() == DeviceEvent.Type.PORT_ADDED || event.type() == DeviceEvent.Type.PORT_UPDATED)
                && event.port().isEnabled();
    }

    private void forget(Predicate<ConnectPoint> where, DeviceId device) {
        familiar.clear();
        for (Host host : hostService.getConnectedHosts(device)) {
            for (HostLocation location : host.locations()) {
                if (location.deviceId().equals(device) && where.test(new ConnectPoint(device, location.port()))) {
                    core.removeLocationFromHost(host.id(), location);
                }
            }
        }
    }

    private void request(boolean wanted, TrafficSelector selector) {
        if (wanted) {
            packetService.requestPackets(selector, PacketPriority.CONTROL, applicationId);
        } else {
            packetService.cancelPackets(selector, PacketPriority.CONTROL, applicationId);
        }
    }

    private static TrafficSelector icmpv6(byte type) {
        return DefaultTrafficSelector.builder()
                .matchEthType(Ethernet.TYPE_IPV6)
                .matchIPProtocol(IPv6.PROTOCOL_ICMP6)
                .matchIcmpv6Type(type)
                .build();
    }
}
