// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;

/**
 * Senders of IPv4 packets that told nothing new a moment ago. A busy host brings hundreds of copied segments a second; looking
 * for news in each would be the greater part of what a copy costs. Thread-safe.
 */
final class FamiliarFrames {
    /**
     * For so long further packets of a sender are not looked at. Less than the silence after which {@link MoveClaims} believes
     * that a host has moved: a busy host refutes also the claim that comes while its sender becomes familiar.
     */
    static final long MILLIS = 500;
    private static final int MOST = 4096;

    private final Cache<Sender, Boolean> familiar;

    /** Makes it without any sender. */
    FamiliarFrames(Ticker clock) {
        familiar = CacheBuilder.newBuilder().ticker(clock).maximumSize(MOST)
                .expireAfterWrite(MILLIS, TimeUnit.MILLISECONDS).build();
    }

    /** {@return whether a frame tells what an earlier one has told} */
    boolean contains(Optional<Sender> sender) {
        return sender.isPresent() && familiar.getIfPresent(sender.get()) != null;
    }

    /** Notes that a frame has told nothing new. */
    void add(Optional<Sender> sender) {
        sender.ifPresent(one -> familiar.put(one, true));
    }

    /** Forgets all senders: what is known of hosts has changed, or is in doubt. */
    void clear() {
        familiar.invalidateAll();
    }

    /** The sender of an IPv4 packet, and where the packet came in. */
    static final class Sender {
        private final ConnectPoint point;
        private final MacAddress mac;
        private final short vlan;
        private final int address;

        private Sender(ConnectPoint point, MacAddress mac, short vlan, int address) {
            this.point = point;
            this.mac = mac;
            this.vlan = vlan;
            this.address = address;
        }

        /** {@return that of a frame; empty if it is no IPv4 packet} */
        static Optional<Sender> of(Ethernet frame, ConnectPoint point) {
            return frame.getPayload() instanceof IPv4
                    ? Optional.of(new Sender(point, frame.getSourceMAC(), frame.getVlanID(),
                            ((IPv4) frame.getPayload()).getSourceAddress()))
                    : Optional.empty();
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof Sender)) {
                return false;
            }
            Sender that = (Sender) other;
            return address == that.address && vlan == that.vlan && mac.equals(that.mac) && point.equals(that.point);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * mac.hashCode() + address) + point.hashCode();
        }
    }
}
