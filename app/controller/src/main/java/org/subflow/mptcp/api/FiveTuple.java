// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.onlab.packet.IpAddress;
import org.onosproject.net.HostId;

/**
 * The addresses and ports of one direction of a TCP subflow, and the hosts between which its frames go; the protocol is always
 * TCP.
 *
 * <p>On a layer-2 fabric the frame decides where a packet comes from and goes to: its MAC addresses and VLAN name hosts, and
 * its IP addresses only say whose connection it is. So a connection that crosses a router has two <em>legs</em>, from host to
 * router and from router to host: the same addresses and ports between other hosts. They are two different five-tuples here,
 * and so are the same addresses in two VLANs.
 *
 * <p>Who has not seen a frame knows no hosts ({@link HostId#NONE}): users, and hosts' agents.
 *
 * <p>Immutable. Where a five-tuple names a subflow, its source is the host that sent the subflow's SYN. Five-tuples are comparable,
 * so that a hash map that hosts fill with chosen collisions costs O(log n) a look-up, not O(n).
 */
public final class FiveTuple implements Comparable<FiveTuple> {
    private static final Comparator<HostId> BY_HOST = Comparator.comparingLong((HostId host) -> host.mac().toLong())
            .thenComparingInt(host -> host.vlanId().toShort());
    private static final Comparator<FiveTuple> ORDER = Comparator.comparingInt(FiveTuple::sourcePort)
            .thenComparingInt(FiveTuple::destinationPort)
            .thenComparing(FiveTuple::source).thenComparing(FiveTuple::destination)
            .thenComparing(FiveTuple::sourceHost, BY_HOST).thenComparing(FiveTuple::destinationHost, BY_HOST);
    private static final int MAX_PORT = 0xffff;
    /** Names of hosts are not looked up. */
    private static final Pattern END = Pattern.compile("(?:\\[([0-9A-Fa-f:.]{2,45})\\]|([0-9A-Fa-f.:]{2,45})):([0-9]{1,5})");

    private static final int MOST_SHOWN = 60;

    private final IpAddress source;
    private final int sourcePort;
    private final IpAddress destination;
    private final int destinationPort;
    private final HostId sourceHost;
    private final HostId destinationHost;
    private final int hash;
    /** Kept, because every reading of counters asks for it; two threads may each make one. */
    private FiveTuple reverse;

    private FiveTuple(IpAddress source, int sourcePort, IpAddress destination, int destinationPort, HostId sourceHost,
                      HostId destinationHost) {
        this.source = checkNotNull(source, "source");
        this.destination = checkNotNull(destination, "destination");
        checkArgument(source.version() == destination.version(),
                      "source %s and destination %s differ in IP version", source, destination);
        this.sourcePort = checkPort(sourcePort);
        this.destinationPort = checkPort(destinationPort);
        this.sourceHost = checkNotNull(sourceHost, "sourceHost");
        this.destinationHost = checkNotNull(destinationHost, "destinationHost");
        int ports = 31 * (31 * (31 * source.hashCode() + sourcePort) + destination.hashCode()) + destinationPort;
        this.hash = 31 * (31 * ports + sourceHost.hashCode()) + destinationHost.hashCode();
    }

    /**
     * Makes a five-tuple.
     *
     * @param source          sender's address
     * @param sourcePort      sender's TCP port, 0 to 65535
     * @param destination     receiver's address, of the same IP version
     * @param destinationPort receiver's TCP port, 0 to 65535
     * @return the five-tuple
     * @throws IllegalArgumentException if a port is out of range or the IP versions differ
     */
    public static FiveTuple of(IpAddress source, int sourcePort, IpAddress destination, int destinationPort) {
        return new FiveTuple(source, sourcePort, destination, destinationPort, HostId.NONE, HostId.NONE);
    }

    /**
     * Returns this five-tuple in frames between two hosts.
     *
     * @param from the frames' source MAC address and VLAN; {@link HostId#NONE} if unknown; not null
     * @param to   their destination MAC address, and the same VLAN; {@link HostId#NONE} if unknown; not null
     */
    public FiveTuple between(HostId from, HostId to) {
        return new FiveTuple(source, sourcePort, destination, destinationPort, from, to);
    }

    /** Returns the same addresses and ports without hosts, as users and hosts' agents know them. */
    public FiveTuple withoutHosts() {
        return between(HostId.NONE, HostId.NONE);
    }

    /** Returns the same between the same hosts, from another port, 0 to 65535. */
    public FiveTuple withSourcePort(int port) {
        return new FiveTuple(source, port, destination, destinationPort, sourceHost, destinationHost);
    }

    /**
     * Reads a five-tuple from the texts of its ends, as {@link #sourceText} and {@link #destinationText} write them.
     *
     * @param source      {@code address:port} of the sender, an IPv6 address in brackets; not null
     * @param destination the same of the receiver; not null
     * @return the five-tuple
     * @throws IllegalArgumentException if they cannot be read; the message is one line for the user
     */
    public static FiveTuple parse(String source, String destination) {
        Matcher from = end(source);
        Matcher to = end(destination);
        return of(address(from), Integer.parseInt(from.group(3)), address(to), Integer.parseInt(to.group(3)));
    }

    private static Matcher end(String text) {
        Matcher end = END.matcher(text);
        checkArgument(end.matches(), "'%s' is no address with a port, such as 10.0.0.1:5201 or [fd00::1]:5201",
                      text.substring(0, Math.min(text.length(), MOST_SHOWN)).replaceAll("[^ -~]", "?"));
        return end;
    }

    private static IpAddress address(Matcher end) {
        String address = end.group(1) == null ? end.group(2) : end.group(1);
        try {
            return IpAddress.valueOf(address);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + address + "' is no IP address", e);
        }
    }

    private static int checkPort(int port) {
        checkArgument(port >= 0 && port <= MAX_PORT, "TCP port %s is not within 0..65535", port);
        return port;
    }

    /** Returns the sender's address. */
    public IpAddress source() {
        return source;
    }

    /** Returns the sender's TCP port. */
    public int sourcePort() {
        return sourcePort;
    }

    /** Returns the receiver's address. */
    public IpAddress destination() {
        return destination;
    }

    /** Returns the receiver's TCP port. */
    public int destinationPort() {
        return destinationPort;
    }

    /** Returns the host that sends the frames: the sender itself, or the router before it; {@link HostId#NONE} if unknown. */
    public HostId sourceHost() {
        return sourceHost;
    }

    /** Returns the host that the frames go to: the receiver itself, or the router before it; {@link HostId#NONE} if unknown. */
    public HostId destinationHost() {
        return destinationHost;
    }

    /** Returns whether both hosts are known. */
    public boolean hasHosts() {
        return !sourceHost.equals(HostId.NONE) && !destinationHost.equals(HostId.NONE);
    }

    /** Returns whether both addresses are IPv6. */
    public boolean isIpv6() {
        return source.isIp6();
    }

    /** Returns the five-tuple of the opposite direction. */
    public FiveTuple reversed() {
        FiveTuple known = reverse;
        if (known == null) {
            known = new FiveTuple(destination, destinationPort, source, sourcePort, destinationHost, sourceHost);
            reverse = known;
        }
        return known;
    }

    /** Returns the sender as {@code address:port}, an IPv6 address in brackets. */
    public String sourceText() {
        return text(source, sourcePort);
    }

    /** Returns the receiver as {@code address:port}, an IPv6 address in brackets. */
    public String destinationText() {
        return text(destination, destinationPort);
    }

    private static String text(IpAddress address, int port) {
        return address.isIp6() ? "[" + address + "]:" + port : address + ":" + port;
    }

    @Override
    public int compareTo(FiveTuple other) {
        return ORDER.compare(this, other);
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof FiveTuple)) {
            return false;
        }
        FiveTuple that = (FiveTuple) other;
        return hash == that.hash
                && sourcePort == that.sourcePort
                && destinationPort == that.destinationPort
                && source.equals(that.source)
                && destination.equals(that.destination)
                && sourceHost.equals(that.sourceHost)
                && destinationHost.equals(that.destinationHost);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return sourceText() + ">" + destinationText();
    }
}
