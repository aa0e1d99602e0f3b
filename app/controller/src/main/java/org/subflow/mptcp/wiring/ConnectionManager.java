// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.onosproject.app.ApplicationService;
import org.onosproject.cluster.ClusterMetadata;
import org.onosproject.cluster.ClusterMetadataService;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.Node;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.event.EventDeliveryService;
import org.onosproject.event.ListenerRegistry;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.intent.IntentExtensionService;
import org.onosproject.net.intent.IntentInstallCoordinator;
import org.onosproject.net.intent.IntentService;
import org.onosproject.net.intent.IntentStore;
import org.onosproject.net.intf.InterfaceService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.PacketService;
import org.onosproject.net.resource.ResourceAdminService;
import org.onosproject.net.resource.ResourceService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.service.StorageService;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionListener;
import org.subflow.mptcp.api.monitoring.ClusterState;
import org.subflow.mptcp.api.monitoring.ClusterState.Leader;
import org.subflow.mptcp.api.monitoring.ClusterStateService;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.cluster.Alone;
import org.subflow.mptcp.cluster.AnswerDeadline;
import org.subflow.mptcp.cluster.Election;
import org.subflow.mptcp.cluster.LeaderElection;
import org.subflow.mptcp.cluster.Mandate;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.MptcpIntentCompiler;
import org.subflow.mptcp.intent.SubflowPathInstaller;
import org.subflow.mptcp.intent.SubflowPathIntent;
import org.subflow.mptcp.loop.SteadyClock;
import org.subflow.mptcp.query.Answers;
import org.subflow.mptcp.query.QueryServices;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.FlaggedSegments;
import org.subflow.mptcp.segment.WatchedSwitches;
import org.subflow.mptcp.store.GreatestNumber;
import org.subflow.mptcp.store.Uninstallation;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Wires the application to ONOS's services, starts and stops it: the {@link Controller} on the node that decides, the {@link
 * Follower} on any other one. The {@link QueryServices} passes questions on to one of them.
 */
@Component(immediate = true, service = ClusterStateService.class)
public final class ConnectionManager implements ClusterStateService, Election.Office {
    /** The application's name in ONOS. */
    public static final String APP_NAME = "org.subflow.mptcp";

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionManager.class);
    /** ONOS's stores answer within milliseconds; whoever looks at the cluster's state does not wait for them. */
    private static final long ANSWER_MILLIS = 1000;

    @Reference
    private volatile CoreService core;
    @Reference
    private volatile ApplicationService applications;
    @Reference
    private volatile ClusterMetadataService clusterMetadata;
    @Reference
    private volatile ClusterService cluster;
    @Reference
    private volatile ClusterCommunicationService communication;
    @Reference
    private volatile LeadershipService leaderships;
    @Reference
    private volatile DeviceService devices;
    @Reference
    private volatile MastershipService masters;
    @Reference
    private volatile HostService hosts;
    @Reference
    private volatile InterfaceService interfaces;
    @Reference
    private volatile LinkService links;
    @Reference
    private volatile FlowRuleService flowRules;
    @Reference
    private volatile PacketService packets;
    @Reference
    private volatile IntentService intentService;
    @Reference
    private volatile IntentStore intentStore;
    @Reference
    private volatile IntentExtensionService intentExtensions;
    @Reference
    private volatile IntentInstallCoordinator installations;
    @Reference
    private volatile ResourceService resources;
    @Reference
    private volatile ResourceAdminService resourceAdmin;
    @Reference
    private volatile StorageService storage;
    @Reference
    private volatile EventDeliveryService eventDelivery;
    @Reference
    private volatile NetworkView network;
    @Reference
    private volatile SettingsService settings;
    @Reference
    private volatile PolicyService policies;

    /** Passes events from ONOS's event thread to the listeners, and notes when they have them, also if one of them has failed. */
    private final ListenerRegistry<ConnectionEvent, ConnectionListener> listeners = new ListenerRegistry<>() {
        @Override
        public void process(ConnectionEvent event) {
            try {
                super.process(event);
            } finally {
                delivered(event);
            }
        }
    };
    private final QueryServices queries = new QueryServices(listeners, this::answers);
    private final DetectCounters counters = new DetectCounters();
    private Uninstallation uninstallation;
    private WatchedSwitches watched;
    private Services onos;
    private Election election;
    /** What this node does while another one decides; null with one ONOS node. */
    private Follower follower;
    private volatile Controller controller;
    private final AnswerDeadline deadline = new AnswerDeadline(ANSWER_MILLIS);
    private volatile List<String> unwatched = List.of();

    @Activate
    void activate(BundleContext context) {
        ApplicationId appId = core.registerApplication(APP_NAME);
        uninstallation = Uninstallation.watch(applications, appId);
        eventDelivery.addSink(ConnectionEvent.class, listeners);
        MptcpIntentCompiler compiler = new MptcpIntentCompiler();
        intentExtensions.registerCompiler(MptcpIntent.class, compiler);
        intentExtensions.registerInstaller(SubflowPathIntent.class,
                                           new SubflowPathInstaller(
                                                   new OwnRules(flowRules, devices, appId), installations, this::isUp));
        ClusterMetadata metadata = clusterMetadata.getClusterMetadata();
        // Nodes of a cluster find each other through the storage nodes, or are configured.
        boolean isCluster = !metadata.getStorageNodes().isEmpty() || metadata.getControllerNodes().size() > 1;
        onos = services(context, appId, compiler, isCluster);
        watched = new WatchedSwitches(devices, masters, onos.rules);
        if (isCluster) {
            election = new LeaderElection(leaderships, cluster.getLocalNode().id(),
                                          new GreatestNumber(storage, GreatestNumber.TERM), SteadyClock.SYSTEM::millis);
            follower = new Follower(onos, election);
            follower.start();
        } else {
            election = new Alone();
        }
        election.start(this);
        queries.open(context);
        LOG.info("Started");
    }

    private boolean isUp(Link link) {
        return network.snapshot().arc(link) >= 0;
    }

    @Override
    public void begin(Mandate mandate) {
        Controller chosen = new Controller(onos, Optional.ofNullable(follower).map(node -> node::processCopy), mandate);
        if (follower != null) {
            follower.pause();
        }
        try {
            chosen.start();
        } catch (RuntimeException e) {
            // A store that did not answer, for instance. The next attempt must find everything as this one did.
            chosen.drop();
            if (follower != null) {
                follower.resume();
            }
            throw e;
        }
        controller = chosen;
        if (follower != null) {
            follower.handOver(chosen::relayed);
        }
        queries.changed(onos.application.bundle);
    }

    @Override
    public void end() {
        Controller before = controller;
        controller = null;
        follower.takeSegments();
        before.drop();
        follower.resume(before.answers());
        queries.changed(onos.application.bundle);
    }

    @Deactivate
    void deactivate(BundleContext bundles) {
        queries.close();
        deadline.stop();
        onos.application.segments.close();
        if (follower != null) {
            follower.stop();
        }
        Controller last = controller;
        if (last != null) {
            stop(last, bundles);
        }
        // Only now may another node decide: it would install again what has just been withdrawn.
        election.stop();
        intentExtensions.unregisterCompiler(MptcpIntent.class);
        intentExtensions.unregisterInstaller(SubflowPathIntent.class);
        eventDelivery.removeSink(ConnectionEvent.class);
        LOG.info("Stopped");
    }

    private void stop(Controller last, BundleContext bundles) {
        if (bundles.getBundle(Constants.SYSTEM_BUNDLE_ID).getState() == Bundle.STOPPING) {
            last.leave();
        } else {
            last.withdraw();
        }
        if (uninstallation.isUnderWay()) {
            last.clearStores();
        }
    }

    private Services services(BundleContext context, ApplicationId appId, MptcpIntentCompiler compiler, boolean isCluster) {
        return new Services(
                new NetworkServices(devices, hosts, interfaces, links, flowRules, packets),
                new IntentServices(intentService, intentStore, resources, resourceAdmin, compiler),
                new ClusterServices(storage, communication, cluster, eventDelivery, isCluster),
                new Application(appId, context, SteadyClock.SYSTEM, network, settings, policies, counters, new FlaggedSegments(context),
                                queries::ended));
    }

    private void delivered(ConnectionEvent event) {
        Controller deciding = controller;
        if (deciding != null) {
            deciding.delivered(event);
        }
    }

    /** Returns who answers: with one ONOS node, the controller. */
    private Answers answers() {
        Controller deciding = controller;
        return deciding != null ? deciding.answers() : follower.answers;
    }

    @Override
    public ClusterState clusterState() {
        Controller deciding = controller;
        String node = cluster.getLocalNode().id().toString();
        List<String> others = cluster.getNodes().stream()
                .filter(one -> !one.equals(cluster.getLocalNode()) && cluster.getState(one.id()).isActive())
                .map(Node::host).sorted().collect(Collectors.toList());
        Answers answers = answers();
        Optional<Leader> leader = (election.isCluster() ? election.leader() : Optional.of(node)).map(
                name -> new Leader(name, deciding == null ? 0 : deciding.term(), answers.hasLeaderBegun()));
        return new ClusterState(node, others, leader, answers.ageMillis(), election.isStorageThere(),
                                leader.isPresent() ? unwatched() : List.of());
    }

    /**
     * Asked only while there is a leader: without the storage nodes, ONOS does not know the switches' masters. Where an answer is
     * late because these have just gone, the last one stays.
     */
    private List<String> unwatched() {
        try {
            unwatched = deadline.ask(() -> watched.missing().stream().map(DeviceId::toString).collect(Collectors.toList()));
        } catch (RuntimeException e) {
            LOG.debug("The masters of the switches are not known now", e);
        }
        return unwatched;
    }
}
