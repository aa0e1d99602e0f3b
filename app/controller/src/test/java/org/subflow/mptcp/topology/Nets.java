// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.CapacitySource;
import org.subflow.mptcp.api.LinkAttributes;

/** Small networks for tests, with switches {@code of:1}, {@code of:2}, … and 10 Mbit/s links. */
public final class Nets {
    /** Bit/s of every link. */
    public static final double CAPACITY = 10e6;

    private static final ProviderId PROVIDER = new ProviderId("of", "test");

    private Nets() {
    }

    /** Returns switch number {@code n}. */
    public static DeviceId device(int n) {
        return DeviceId.deviceId("of:" + n);
    }

    /** Returns the port of switch {@code at} that leads to switch {@code towards}. */
    public static ConnectPoint port(int at, int towards) {
        return new ConnectPoint(device(at), PortNumber.portNumber(towards));
    }

    /** Returns the port of switch {@code at} behind which a host is. */
    public static ConnectPoint edge(int at) {
        return new ConnectPoint(device(at), PortNumber.portNumber(100));
    }

    /** Returns attributes of a link whose port tells a speed in bit/s. */
    public static LinkAttributes capacity(double speed) {
        return LinkAttributes.of(speed, CapacitySource.PORT_SPEED);
    }

    /** Returns the directed link between two switches. */
    public static Link link(int from, int to) {
        return DefaultLink.builder()
                .providerId(PROVIDER)
                .src(port(from, to))
                .dst(port(to, from))
                .type(Link.Type.DIRECT)
                .build();
    }

    /** Returns both directions of the links of the diamond 1–{2,3,4}–5. */
    public static List<Link> diamondLinks() {
        return bothWays(new int[][] {{1, 2}, {1, 3}, {1, 4}, {2, 5}, {3, 5}, {4, 5}});
    }

    /** Returns both directions of links. */
    public static List<Link> bothWays(int[][] pairs) {
        List<Link> links = new ArrayList<>();
        for (int[] pair : pairs) {
            links.add(link(pair[0], pair[1]));
            links.add(link(pair[1], pair[0]));
        }
        return links;
    }

    /** Returns a snapshot of these links and the switches at their ends. */
    public static NetworkSnapshot snapshot(List<Link> links) {
        Set<DeviceId> devices = new LinkedHashSet<>(
                links.stream().map(link -> link.src().deviceId()).collect(Collectors.toList()));
        return NetworkSnapshot.of(devices, links, link -> capacity(CAPACITY));
    }

    /** Returns the diamond. */
    public static NetworkSnapshot diamond() {
        return snapshot(diamondLinks());
    }
}
