// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.subflow.mptcp.southbound.OpenFlowIds.deviceId;
import static org.subflow.mptcp.southbound.OpenFlowIds.dpid;
import static org.subflow.mptcp.southbound.OpenFlowIds.ofPort;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkService;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowEventListener;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.OpenFlowSwitchListener;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.types.OFPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.southbound.FirstTable;
import org.subflow.mptcp.southbound.OpenFlowIds;
import org.subflow.mptcp.southbound.device.DeviceAnnotations;

/**
 * Keeps the first tables of the switches that this node is master of: writes them when it becomes master, follows links
 * and what is wanted, lets ports pause, and puts back what somebody else removed.
 *
 * <p>A new master writes the rules that let packets through and bring segments at once, on the thread that learns of it. All
 * else is done on one worker, which owns the tables. So nothing waits for ONOS on a thread that reads messages, and a worker
 * that waits for ONOS keeps no segments back.
 */
final class FirstTables implements OpenFlowSwitchListener, OpenFlowEventListener, LinkListener {

    private static final Logger log = LoggerFactory.getLogger(FirstTables.class);

    /** Set in all transaction ids of first tables, and in none of the rule provider's. */
    private static final int OWN_XIDS = 0x8000_0000;

    private final OpenFlowController controller;
    private final LinkService links;
    private final DeviceAnnotations annotations;
    private final Supplier<Set<Delivery>> wanted;
    private final PausedPorts pauses;
    private final Executor worker;
    private final AtomicInteger xids = new AtomicInteger();

    /** Switches whose table this node has written since it became their master. */
    private final Set<Dpid> mastered = ConcurrentHashMap.newKeySet();

    /** Switches that connected just now, as devices that send no copies. */
    private final Set<Dpid> fresh = ConcurrentHashMap.newKeySet();

    private final Map<Dpid, SwitchTable> tables = new HashMap<>();
    /** What ONOS has been told of a switch. */
    private final Map<Dpid, Map<String, String>> told = new HashMap<>();

    /**
     * Makes the keeper.
     *
     * @param wanted what segments are wanted at the moment; any thread may ask
     * @param pauses which ports bring too many segments; tells {@link #pausesChanged}
     * @param worker does one task after the other, in their order
     */
    FirstTables(OpenFlowController controller, LinkService links, DeviceAnnotations annotations,
                Supplier<Set<Delivery>> wanted, PausedPorts pauses, Executor worker) {
        this.controller = controller;
        this.links = links;
        this.annotations = annotations;
        this.wanted = wanted;
        this.pauses = pauses;
        this.worker = worker;
    }

    /** Begins with the switches that this node is already master of. */
    void start() {
        controller.getMasterSwitches().forEach(sw -> roleChangedToMaster(sw.getDpid()));
    }

    /** Looks again what segments are wanted. */
    void wantedChanged() {
        later(() -> tables.keySet().forEach(this::update));
    }

    /** Writes which ports of a switch are paused; for the worker. */
    void pausesChanged(Dpid dpid) {
        update(dpid);
        tell(dpid);
    }

    @Override
    public void roleChangedToMaster(Dpid dpid) {
        OpenFlowSwitch sw = controller.getSwitch(dpid);
        // ONOS also confirms the role of a node that has it; then all is written.
        if (sw == null || !mastered.add(dpid)) {
            return;
        }
        boolean knownWithoutCopies = fresh.remove(dpid);
        long xid = nextXid();
        Set<Delivery> wantedNow = wanted.get();
        SwitchTable.begin(sw, xid, wantedNow);
        later(() -> {
            tables.put(dpid, new SwitchTable(sw, xid, wantedNow));
            // What another master has told of it is not known here.
            told.remove(dpid);
            if (knownWithoutCopies) {
                told.put(dpid, annotations(DeviceAnnotations.NONE, DeviceAnnotations.NONE));
            }
            update(dpid);
        });
    }

    @Override
    public void receivedRoleReply(Dpid dpid, RoleState requested, RoleState response) {
        if (response != RoleState.MASTER) {
            forget(dpid);
        }
    }

    @Override
    public void switchRemoved(Dpid dpid) {
        forget(dpid);
    }

    private void forget(Dpid dpid) {
        mastered.remove(dpid);
        fresh.remove(dpid);
        later(() -> {
            tables.remove(dpid);
            pauses.forget(dpid);
        });
    }

    @Override
    public void event(LinkEvent event) {
        later(() -> {
            update(event.subject().src().deviceId());
            update(event.subject().dst().deviceId());
        });
    }

    @Override
    public void handleMessage(Dpid dpid, OFMessage message) {
        switch (message.getType()) {
            case BARRIER_REPLY:
                if (isOwn(message.getXid())) {
                    later(() -> answered(dpid, message.getXid()));
                }
                break;
            case ERROR:
                if (isOwn(message.getXid())) {
                    later(() -> refused(dpid, (OFErrorMsg) message));
                }
                break;
            case FLOW_REMOVED:
                OFFlowRemoved removed = (OFFlowRemoved) message;
                if (removed.getTableId().equals(FirstTable.ID) && FirstTable.isOwn(removed.getCookie().getValue())) {
                    later(() -> lost(dpid, removed));
                }
                break;
            default:
                break;
        }
    }

    private void answered(Dpid dpid, long xid) {
        SwitchTable table = tables.get(dpid);
        if (table != null) {
            table.answered(xid);
            tell(dpid);
        }
    }

    private void tell(Dpid dpid) {
        SwitchTable table = tables.get(dpid);
        if (table == null || !table.isSettled()) {
            return;
        }
        String copies = table.sendsCopies() ? DeviceAnnotations.COPIED : DeviceAnnotations.NONE;
        String ports = list(pauses.pausedOfLate(dpid).stream().map(OFPort::getPortNumber).sorted());
        Map<String, String> now = annotations(copies, ports);
        if (!now.equals(told.get(dpid))) {
            annotations.tcpFlags(dpid, now);
            told.put(dpid, now);
        }
    }

    private static Map<String, String> annotations(String copies, String ports) {
        return Map.of(DeviceAnnotations.TCP_FLAGS, copies, DeviceAnnotations.PAUSED_PORTS, ports);
    }

    private static String list(Stream<?> values) {
        String list = values.map(String::valueOf).collect(Collectors.joining(","));
        return list.isEmpty() ? DeviceAnnotations.NONE : list;
    }

    private void refused(Dpid dpid, OFErrorMsg error) {
        SwitchTable table = tables.get(dpid);
        if (table != null && table.refuse(error.getXid())) {
            log.info("{} refuses {}: {}", dpid, table.isRefused()
                    ? "a rule of its table 0, so it sends no copies of TCP segments"
                    : "meters, so it forwards all SYNs of a paused port", error);
            update(dpid);
        }
    }

    private void lost(Dpid dpid, OFFlowRemoved removed) {
        SwitchTable table = tables.get(dpid);
        if (table != null) {
            table.lost(removed);
            update(dpid);
        }
    }

    private void update(DeviceId device) {
        if (OpenFlowIds.isOpenFlow(device)) {
            update(dpid(device));
        }
    }

    private void update(Dpid dpid) {
        SwitchTable table = tables.get(dpid);
        if (table != null) {
            int mostSyns = pauses.mostSyns();
            Set<OFPort> metered = mostSyns > 0 ? pauses.floodedOfLate(dpid) : Set.of();
            Set<OFFlowAdd> rules = table.rulesFor(
                    wanted.get(), transitPorts(deviceId(dpid)), pauses.paused(dpid), metered);
            table.become(rules, mostSyns, nextXid());
        }
    }

    /** Returns the ports with an active link to another switch. */
    private Set<OFPort> transitPorts(DeviceId device) {
        Set<OFPort> ports = new HashSet<>();
        for (Link link : links.getDeviceLinks(device)) {
            if (link.state() == Link.State.ACTIVE && link.type() != Link.Type.EDGE) {
                ConnectPoint here = link.src().deviceId().equals(device) ? link.src() : link.dst();
                ports.add(ofPort(here.port()));
            }
        }
        return ports;
    }

    private void later(Runnable task) {
        try {
            worker.execute(task);
        } catch (RejectedExecutionException e) {
            log.debug("A change comes too late, the southbound is ending");
        }
    }

    private long nextXid() {
        return Integer.toUnsignedLong(xids.incrementAndGet() | OWN_XIDS);
    }

    private static boolean isOwn(long xid) {
        return (xid & OWN_XIDS) != 0;
    }

    @Override
    public void switchAdded(Dpid dpid) {
        // Nothing may be written before this node is master.
        fresh.add(dpid);
    }

    @Override
    public void switchChanged(Dpid dpid) {
        // Ports matter when links come or go, and that is told.
    }

    @Override
    public void portChanged(Dpid dpid, OFPortStatus status) {
        // See switchChanged.
    }
}
