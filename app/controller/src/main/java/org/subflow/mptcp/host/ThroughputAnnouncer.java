// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.onlab.packet.Ethernet;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.packet.PacketService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.segment.PacketsOut;
import org.subflow.mptcp.segment.option.MpEt;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.topology.Attachments;

/**
 * Tells hosts whose agents are silent the expected throughputs of what they send, by {@link MpEt} in packet-outs at the hosts'
 * own ports. It looks once in a second, in every round at all connections, and sends {@value #MOST_PACKETS} packets at most.
 * What did not fit comes in the next round. Used by one thread; counters by any.
 */
public final class ThroughputAnnouncer {
    /** Most packets in a second. */
    static final int MOST_PACKETS = 500;

    private static final double KBIT = 1000;
    private static final long MOST_KBITS = 0xffffffffL;
    private static final int MILLIS_PER_NUMBER = 10;
    private static final long SECOND = 1000;
    /** An announcement holds until so many of the next ones should have come. */
    private static final int LIFETIMES = 3;

    private final ConnectionStore store;
    private final HostAgents agents;
    private final Attachments attachments;
    private final PacketService packets;
    private final IntSupplier everySeconds;
    private final LongSupplier epochMillis;
    private final LongUnaryOperator numbers;
    private final LongAdder sent = new LongAdder();
    private long lastMillis;
    private int left;
    /** How many ends of subflows come before the one at which the last round stopped. */
    private int skip;
    private int seen;
    private long sequence;

    /**
     * Makes it.
     *
     * @param store        the connections; not null
     * @param agents       tells which hosts have an agent; not null
     * @param attachments  knows routers on the fabric: what goes to one is meant for nobody's agent; not null
     * @param packets      sends packets; not null
     * @param everySeconds how often a host is told, seconds; 0 for never; not null
     * @param epochMillis  milliseconds of the Unix epoch; not null
     * @param numbers      stores a sequence number unless a greater one is stored, and returns the stored one: one that has been
     *                     announced is not taken back, whatever node decides next; not null
     */
    public ThroughputAnnouncer(ConnectionStore store, HostAgents agents, Attachments attachments, PacketService packets,
                               IntSupplier everySeconds, LongSupplier epochMillis, LongUnaryOperator numbers) {
        this.store = checkNotNull(store, "store");
        this.agents = checkNotNull(agents, "agents");
        this.attachments = checkNotNull(attachments, "attachments");
        this.packets = checkNotNull(packets, "packets");
        this.everySeconds = checkNotNull(everySeconds, "everySeconds");
        this.epochMillis = checkNotNull(epochMillis, "epochMillis");
        this.numbers = checkNotNull(numbers, "numbers");
    }

    /** Sends what is due; to be called once in a second. */
    public void tick() {
        int every = everySeconds.getAsInt();
        long now = epochMillis.getAsLong();
        if (every == 0 || skip == 0 && now - lastMillis < SECOND * every && now >= lastMillis) {
            return;
        }
        // A host that has heard a number hears no smaller one; the clock may go back, or another node's be late.
        sequence = numbers.applyAsLong(Math.max(numbers.applyAsLong(0) + 1, now / MILLIS_PER_NUMBER));
        lastMillis = skip == 0 ? now : lastMillis;
        left = MOST_PACKETS;
        seen = 0;
        for (Connection connection : store.all()) {
            if (connection.state() == ConnectionState.ACTIVE) {
                connection.subflows().forEach(subflow -> tell(subflow, every));
            }
        }
        skip = left > 0 ? 0 : seen;
    }

    private void tell(Subflow subflow, int every) {
        boolean standsBy = subflow.isBackup() && subflow.state() == SubflowState.BACKUP;
        if (standsBy || subflow.state() != SubflowState.ACTIVE && subflow.state() != SubflowState.BACKUP) {
            return;
        }
        double forth = subflow.fromClient() ? subflow.expected().up() : subflow.expected().down();
        double back = subflow.fromClient() ? subflow.expected().down() : subflow.expected().up();
        // To the sender of the SYN the segment seems to come from the other host, and the other way round.
        send(subflow, subflow.tuple().reversed(), subflow.ingress(), forth, every);
        send(subflow, subflow.tuple(), subflow.egress(), back, every);
    }

    private void send(Subflow subflow, FiveTuple to, ConnectPoint at, double rate, int every) {
        if (left == 0 || ++seen <= skip || agents.isHeard(to.destination())) {
            return;
        }
        if (!to.hasHosts() || !attachments.isItself(to.reversed())) {
            return;
        }
        MpEt option = new MpEt(subflow.state() == SubflowState.BACKUP, LIFETIMES * every,
                               Math.min(MOST_KBITS, Math.round(rate / KBIT)), (int) sequence, 0);
        Ethernet frame = ThroughputSegment.frame(to, option, agents.key(to.destination()));
        packets.emit(PacketsOut.through(at, ByteBuffer.wrap(frame.serialize())));
        sent.increment();
        left--;
    }

    /** Returns how many segments with MP_ET were sent. */
    public Map<String, Long> counters() {
        return ImmutableMap.of("agents.announced", sent.sum());
    }
}
