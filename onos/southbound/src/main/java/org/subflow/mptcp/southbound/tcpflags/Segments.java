// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowPacketContext;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.southbound.packet.PacketContexts;

/** Hands the packets that rules of first tables bring to the processors that want them. Thread-safe. */
final class Segments {

    private static final Logger log = LoggerFactory.getLogger(Segments.class);

    private final Map<Delivery, List<PacketProcessor>> processors = new EnumMap<>(Delivery.class);
    private final List<PacketProcessor> observers = new CopyOnWriteArrayList<>();

    Segments() {
        for (Delivery delivery : Delivery.values()) {
            processors.put(delivery, new CopyOnWriteArrayList<>());
        }
    }

    void add(Delivery delivery, PacketProcessor processor) {
        processors.get(delivery).add(processor);
    }

    void remove(Delivery delivery, PacketProcessor processor) {
        processors.get(delivery).remove(processor);
    }

    /** Adds a processor that looks at all segments which come, without asking for any. */
    void addObserver(PacketProcessor processor) {
        observers.add(processor);
    }

    void removeObserver(PacketProcessor processor) {
        observers.remove(processor);
    }

    /** {@return what there are processors for, observers left out} */
    Set<Delivery> wanted() {
        Set<Delivery> wanted = EnumSet.noneOf(Delivery.class);
        processors.forEach((delivery, those) -> {
            if (!those.isEmpty()) {
                wanted.add(delivery);
            }
        });
        return wanted;
    }

    /** Hands a packet over if a rule of a first table brought it, and its port may bring it. */
    void handle(OpenFlowController controller, OpenFlowPacketContext packet, PausedPorts pauses) {
        packet.cookie().flatMap(Delivery::ofCookie).ifPresent(delivery -> {
            OpenFlowSwitch sw = controller.getSwitch(packet.dpid());
            // First of all: what comes from a paused port must cost next to nothing.
            if (sw != null && !processors.get(delivery).isEmpty()
                    && pauses.admits(packet.dpid(), packet.inPort(), packet::unparsed)) {
                InboundPacket in = PacketContexts.inbound(packet);
                PacketContext copy = PacketContexts.copy(in);
                PacketContext context = delivery == Delivery.COPIES ? copy : PacketContexts.forwardable(packet, in, sw);
                // Hosts are known then by the time at which others ask for them.
                observers.forEach(observer -> give(observer, copy));
                processors.get(delivery).forEach(processor -> give(processor, context));
            }
        });
    }

    private static void give(PacketProcessor processor, PacketContext context) {
        try {
            processor.process(context);
        } catch (RuntimeException | LinkageError e) {
            // Neither the other processors nor the thread of the switch's channel may suffer from it. A bundle that is
            // being stopped throws linkage errors.
            log.warn("{} failed at a segment from {}: {}", processor, context.inPacket().receivedFrom(), e.toString());
            log.debug("Where it failed", e);
        }
    }
}
