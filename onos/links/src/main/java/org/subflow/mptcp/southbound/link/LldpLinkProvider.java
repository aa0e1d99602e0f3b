// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.link;

import static org.onlab.util.Tools.getIntegerProperty;
import static org.onlab.util.Tools.groupedThreads;

import java.util.Dictionary;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.Ethernet;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cluster.ClusterMetadataService;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.Port;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.link.DefaultLinkDescription;
import org.onosproject.net.link.LinkProvider;
import org.onosproject.net.link.LinkProviderRegistry;
import org.onosproject.net.link.LinkProviderService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.onosproject.net.provider.AbstractProvider;
import org.onosproject.net.provider.ProviderId;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds links with LLDP probes and tells ONOS of them. */
@Component(immediate = true, property = {
        LldpLinkProvider.PROBE_RATE + ":Integer=" + LldpLinkProvider.PROBE_RATE_DEFAULT,
        LldpLinkProvider.STALE_LINK_AGE + ":Integer=" + LldpLinkProvider.STALE_LINK_AGE_DEFAULT
    })
public class LldpLinkProvider extends AbstractProvider implements LinkProvider {

    static final String APPLICATION = "org.onosproject.lldpprovider";
    static final String PROBE_RATE = "probeRate";
    static final int PROBE_RATE_DEFAULT = 1000;
    static final String STALE_LINK_AGE = "staleLinkAge";
    static final int STALE_LINK_AGE_DEFAULT = 10_000;

    private static final Logger log = LoggerFactory.getLogger(LldpLinkProvider.class);
    private static final TrafficSelector LLDP =
            DefaultTrafficSelector.builder().matchEthType(Ethernet.TYPE_LLDP).build();

    /**
     * When a port that just came up is probed, in milliseconds. At the first probe the far end may not yet send probes to
     * the controller.
     */
    private static final int[] FIRST_PROBES = {0, 200, 500};

    private static final int SHORTEST_INTERVAL = 100;

    /**
     * A link goes after this many intervals without a probe at the earliest. With two, every round would look like a
     * standstill of the controller to {@link LinkAges}, and no link would ever go.
     */
    private static final int FEWEST_INTERVALS = 4;

    @Reference
    protected LinkProviderRegistry providerRegistry;

    @Reference
    protected DeviceService deviceService;

    @Reference
    protected LinkService linkService;

    @Reference
    protected MastershipService mastershipService;

    @Reference
    protected PacketService packetService;

    @Reference
    protected CoreService coreService;

    @Reference
    protected ComponentConfigService cfgService;

    @Reference
    protected ClusterMetadataService clusterMetadataService;

    /** Milliseconds between two probes out of a port. */
    private int probeRate = PROBE_RATE_DEFAULT;

    /** Milliseconds without a probe after which a link counts as gone. */
    private volatile int staleLinkAge = STALE_LINK_AGE_DEFAULT;

    private final LinkAges ages = new LinkAges();
    private final ProbeAges probeAges = new ProbeAges();
    private final PacketProcessor processor = this::process;
    private final DeviceListener deviceListener = this::deviceChanged;
    private ScheduledExecutorService executor;
    private ScheduledFuture<?> probing;
    private ApplicationId applicationId;
    private String secret;
    private LinkProviderService core;

    /** Makes the provider; the framework starts it. */
    public LldpLinkProvider() {
        super(new ProviderId("lldp", "org.onosproject.provider.lldp"));
    }

    @Activate
    protected void activate(ComponentContext context) {
        cfgService.registerProperties(getClass());
        applicationId = coreService.registerApplication(APPLICATION);
        secret = clusterMetadataService.getClusterMetadata().getClusterSecret();
        executor = Executors.newSingleThreadScheduledExecutor(groupedThreads("onos/lldp", "probes", log));
        core = providerRegistry.register(this);
        packetService.addProcessor(processor, PacketProcessor.advisor(0));
        packetService.requestPackets(LLDP, PacketPriority.CONTROL, applicationId);
        deviceService.addListener(deviceListener);
        modified(context);
        log.info("Started");
    }

    @Deactivate
    protected void deactivate() {
        cfgService.unregisterProperties(getClass(), false);
        deviceService.removeListener(deviceListener);
        packetService.cancelPackets(LLDP, PacketPriority.CONTROL, applicationId);
        packetService.removeProcessor(processor);
        executor.shutdownNow();
        deviceService.getDevices().forEach(device -> core.linksVanished(device.id()));
        providerRegistry.unregister(this);
        log.info("Stopped");
    }

    @Modified
    protected void modified(ComponentContext context) {
        Dictionary<?, ?> properties = context.getProperties();
        probeRate = Math.max(SHORTEST_INTERVAL, getIntegerProperty(properties, PROBE_RATE, probeRate));
        staleLinkAge = Math.max(FEWEST_INTERVALS * probeRate, getIntegerProperty(properties, STALE_LINK_AGE, staleLinkAge));
        if (probing != null) {
            probing.cancel(false);
        }
        probing = executor.scheduleWithFixedDelay(this::round, 0, probeRate, TimeUnit.MILLISECONDS);
        log.info("Ports are probed every {} ms, a link is gone after {} ms", probeRate, staleLinkAge);
    }

    /** One round: links that no longer carry probes go, and new probes go out. */
    private void round() {
        try {
            // In a cluster probes come to the master of the switch where they arrive. No other node knows a link's age.
            ages.forget(link -> !mastershipService.isLocalMaster(link.dst().deviceId()));
            ages.expire(now(), staleLinkAge).forEach(this::vanished);
            deviceService.getAvailableDevices().forEach(device ->
                    deviceService.getPorts(device.id()).forEach(port -> probe(device, port)));
        } catch (RuntimeException e) {
            // An exception that escaped would end the probing silently.
            log.warn("A round of probes failed, the next follows: {}", e.toString());
        }
    }

    private void probe(Device device, Port port) {
        if (port.isEnabled() && !port.number().isLogical() && mastershipService.isLocalMaster(device.id())) {
            ConnectPoint from = new ConnectPoint(device.id(), port.number());
            packetService.emit(new DefaultOutboundPacket(device.id(),
                    DefaultTrafficTreatment.builder().setOutput(port.number()).build(),
                    LinkProbe.encode(from, device.chassisId(), secret)));
        }
    }

    private void process(PacketContext context) {
        Ethernet frame = context.inPacket().parsed();
        if (context.isHandled() || frame == null || frame.getEtherType() != Ethernet.TYPE_LLDP) {
            return;
        }
        ConnectPoint to = context.inPacket().receivedFrom();
        LinkProbe.decode(frame, secret).filter(this::isFresh).ifPresent(probe -> {
            context.block();
            arrived(probe.from(), to);
        });
    }

    /** Not compared with the clock here, nor by who is the master of the switch: the storage nodes of a cluster may not answer. */
    private boolean isFresh(LinkProbe probe) {
        return probeAges.age(probe.from().deviceId(), probe.sentMillis(), System.currentTimeMillis(), now()) <= staleLinkAge;
    }

    private void arrived(ConnectPoint from, ConnectPoint to) {
        // A probe that was under way when the port went down must not bring the link back.
        if (isUp(from) && isUp(to)) {
            ages.seen(LinkKey.linkKey(from, to), now());
            // To be told again of what it knows costs ONOS a millisecond: its store writes it and sends it to other nodes.
            if (!isKnown(from, to)) {
                core.linkDetected(new DefaultLinkDescription(from, to, Link.Type.DIRECT));
            }
        }
    }

    private boolean isKnown(ConnectPoint from, ConnectPoint to) {
        Link link = linkService.getLink(from, to);
        return link != null && link.state() == Link.State.ACTIVE && link.type() == Link.Type.DIRECT;
    }

    private void deviceChanged(DeviceEvent event) {
        Device device = event.subject();
        switch (event.type()) {
            case PORT_ADDED:
            case PORT_UPDATED:
                if (event.port().isEnabled() && deviceService.isAvailable(device.id())) {
                    probeSoon(device, event.port());
                } else if (!event.port().isEnabled()) {
                    portDown(new ConnectPoint(device.id(), event.port().number()));
                }
                break;
            case PORT_REMOVED:
                portDown(new ConnectPoint(device.id(), event.port().number()));
                break;
            case DEVICE_ADDED:
            case DEVICE_AVAILABILITY_CHANGED:
                if (deviceService.isAvailable(device.id())) {
                    deviceService.getPorts(device.id()).forEach(port -> probeSoon(device, port));
                } else {
                    deviceDown(device.id());
                }
                break;
            case DEVICE_REMOVED:
            case DEVICE_SUSPENDED:
                deviceDown(device.id());
                break;
            default:
                break;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a probe that fails is followed by the next
    private void probeSoon(Device device, Port port) {
        for (int delay : FIRST_PROBES) {
            executor.schedule(() -> probe(device, port), delay, TimeUnit.MILLISECONDS);
        }
    }

    private void portDown(ConnectPoint point) {
        ages.forget(link -> link.src().equals(point) || link.dst().equals(point));
        core.linksVanished(point);
    }

    private void deviceDown(DeviceId device) {
        ages.forget(link -> link.src().deviceId().equals(device) || link.dst().deviceId().equals(device));
        core.linksVanished(device);
    }

    private void vanished(LinkKey link) {
        log.info("No probe came over {} for {} ms", link, staleLinkAge);
        core.linkVanished(new DefaultLinkDescription(link.src(), link.dst(), Link.Type.DIRECT));
    }

    private boolean isUp(ConnectPoint point) {
        Port port = deviceService.getPort(point);
        return port != null && port.isEnabled() && deviceService.isAvailable(point.deviceId());
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
}
