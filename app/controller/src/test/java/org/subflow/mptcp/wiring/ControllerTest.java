// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ethernet;
import org.onlab.packet.VlanId;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.event.EventDeliveryServiceAdapter;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.cluster.Alone;
import org.subflow.mptcp.cluster.Election;
import org.subflow.mptcp.cluster.Mandate;
import org.subflow.mptcp.handshake.Bench;
import org.subflow.mptcp.intent.MptcpIntentCompiler;
import org.subflow.mptcp.loop.SteadyClock;
import org.subflow.mptcp.query.Answers;
import org.subflow.mptcp.reservation.LedgerResourceService;
import org.subflow.mptcp.rules.FakeFlowRules;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.FlaggedSegments;
import org.subflow.mptcp.segment.InterceptorScenario;
import org.subflow.mptcp.segment.InterceptorScenario.Hosts;
import org.subflow.mptcp.segment.InterceptorScenario.Packet;
import org.subflow.mptcp.segment.InterceptorScenario.Switches;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.store.KnownMaps;
import org.subflow.mptcp.submission.VersionedIntentStore;
import org.subflow.mptcp.topology.KnownInterfaces;
import org.subflow.mptcp.topology.Nets;

/** The controller as a whole, with its threads, on stand-ins for ONOS's services. */
class ControllerTest implements Election.Office {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final FiveTuple FIRST = Bench.tuple("10.0.0.1", 40000);
    private static final long TIMEOUT_SECONDS = 20;

    private final Stage stage = new Stage();
    private final Hosts hosts = new Hosts();
    private final Switches packets = new Switches();
    private final FakeFlowRules rules = new FakeFlowRules();
    private final RecordingIntents intents = new RecordingIntents();
    private final LedgerResourceService ledger = stage.ledger;
    private final KnownMaps maps = new KnownMaps();
    /** The services that the application offers. */
    private final Set<Object> offered = ConcurrentHashMap.newKeySet();
    private Controller controller;

    private void start() {
        stage.settings = stage.settings.with(Settings.MANAGE_AFTER_MILLIS, 0);
        new Alone().start(this);
    }

    @Override
    public void begin(Mandate mandate) {
        BundleContext bundle = bundle();
        LinkServiceAdapter links = new LinkServiceAdapter() {
            @Override
            public Iterable<Link> getLinks() {
                return Nets.diamondLinks();
            }
        };
        controller = new Controller(new Services(
                new NetworkServices(new KnownSwitches(5), hosts, new KnownInterfaces(), links, rules, packets),
                new IntentServices(intents, new VersionedIntentStore(), ledger, ledger, new MptcpIntentCompiler()),
                new ClusterServices(maps, new ClusterCommunicationServiceAdapter(), new ClusterServiceAdapter(),
                                    new EventDeliveryServiceAdapter(), false),
                new Application(APP, bundle, SteadyClock.SYSTEM, stage, () -> stage.settings, stage.policyService,
                                new DetectCounters(), new FlaggedSegments(bundle), (wait, nanos) -> { })),
                Optional.empty(), mandate);
        controller.start();
    }

    @Override
    public void end() {
        throw new AssertionError("one node decides for good");
    }

    @AfterEach
    void leave() {
        if (controller != null) {
            controller.leave();
        }
    }

    private BundleContext bundle() {
        return (BundleContext) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {BundleContext.class},
                (proxy, method, arguments) -> {
                    assertEquals("registerService", method.getName());
                    offered.add(arguments[1]);
                    return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {ServiceRegistration.class},
                            (registration, withdrawn, none) -> {
                                offered.remove(arguments[1]);
                                return null;
                            });
                });
    }

    private void send(ConnectPoint from, FiveTuple tuple, int flags, int sequence, int acknowledgement, byte[] options) {
        Ethernet frame = InterceptorScenario.segment(tuple, flags, sequence, acknowledgement, options);
        for (PacketProcessor processor : packets.processors) {
            processor.process(new Packet(from, frame));
        }
        packets.next();
    }

    private void handshake() {
        hosts.attach(FIRST.source(), 1, VlanId.NONE, Nets.edge(1));
        hosts.attach(FIRST.destination(), 2, VlanId.NONE, Nets.edge(5));
        send(Nets.edge(1), FIRST, Segment.SYN, Bench.CLIENT_ISN, 0,
             InterceptorScenario.options(Bench.capableSyn(MptcpVersion.V1, 0)));
        send(Nets.edge(5), FIRST.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1,
             InterceptorScenario.options(Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY)));
        send(Nets.edge(1), FIRST, Segment.ACK, Bench.CLIENT_ISN + 1, Bench.SERVER_ISN + 1,
             InterceptorScenario.options(Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
    }

    private static void await(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!holds.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private List<Connection> connections() {
        return controller.answers().connections();
    }

    private Set<RuleKind> kinds() {
        Set<FlowRule> all = Set.copyOf(rules.rules());
        return Set.of(RuleKind.values()).stream().filter(kind -> all.stream().anyMatch(kind::includes)).collect(Collectors.toSet());
    }

    @Test
    void aHandshakeBecomesAConnectionWithAnIntent() {
        start();
        assertEquals(Set.of(RuleKind.WATCH), kinds());
        handshake();
        await("its intent", () -> intents.submitted.size() == 1);
        assertEquals(FIRST, connections().get(0).first().tuple().between(FIRST.sourceHost(), FIRST.destinationHost()));
        assertTrue(controller.answers().counters().get("established.capable-v1") > 0, controller.answers().counters()::toString);
    }

    @Test
    void aStopTakesEverythingBackButTheRecords() {
        start();
        handshake();
        await("its intent", () -> intents.submitted.size() == 1);
        Answers answers = controller.answers();
        controller.withdraw();
        controller = null;
        assertEquals(Set.of(), kinds());
        assertEquals(Set.of(), packets.processors);
        assertEquals(1, offered.size(), "copies of segments, which the application itself withdraws: " + offered);
        assertEquals(Map.of(), intents.submitted);
        assertEquals(0, ledger.entries());
        assertEquals(List.of(ConnectionState.IDLE), answers.connections().stream().map(Connection::state).collect(Collectors.toList()));
    }

    @Test
    void theNextRunKnowsTheConnectionsOfTheLastOne() {
        start();
        handshake();
        await("its intent", () -> intents.submitted.size() == 1);
        List<Connection> before = connections();
        controller.leave();
        start();
        await("its paths", () -> connections().size() == 1 && connections().get(0).state() != ConnectionState.IDLE);
        assertEquals(before.get(0).id(), connections().get(0).id());
    }
}
