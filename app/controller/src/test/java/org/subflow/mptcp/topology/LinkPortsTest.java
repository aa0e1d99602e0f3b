// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkServiceAdapter;

class LinkPortsTest {
    private static final ConnectPoint PORT = Nets.port(1, 2);

    private final Set<Link> all = new HashSet<>(Nets.bothWays(new int[][] {{1, 3}}));
    private final Set<LinkListener> listeners = new HashSet<>();
    private final AtomicLong nanos = new AtomicLong();
    private final LinkPorts ports = new LinkPorts(new Links(), new Ticker() {
        @Override
        public long read() {
            return nanos.get();
        }
    });

    @Test
    void linksOfBeforeAndLaterOnesCount() {
        ports.start();
        assertTrue(ports.contains(Nets.port(1, 3)));
        assertFalse(ports.contains(PORT));
        add(1, 2);
        assertTrue(ports.contains(PORT));
        assertTrue(ports.contains(Nets.port(2, 1)), "both ends");
        assertFalse(ports.contains(Nets.edge(1)));
    }

    @Test
    void aPortWhoseLastLinkIsLostCountsForAMoment() {
        ports.start();
        add(1, 2);
        add(2, 1);
        remove(1, 2);
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertTrue(ports.contains(PORT), "the other direction is still there");
        remove(2, 1);
        assertTrue(ports.contains(PORT));
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertFalse(ports.contains(PORT));
        assertFalse(ports.contains(Nets.port(2, 1)));
    }

    @Test
    void stoppedItFollowsNoLinks() {
        ports.start();
        ports.stop();
        assertEquals(Set.of(), listeners);
    }

    private void add(int from, int to) {
        all.add(Nets.link(from, to));
        tell(LinkEvent.Type.LINK_ADDED, Nets.link(from, to));
    }

    private void remove(int from, int to) {
        all.remove(Nets.link(from, to));
        tell(LinkEvent.Type.LINK_REMOVED, Nets.link(from, to));
    }

    private void tell(LinkEvent.Type type, Link link) {
        listeners.forEach(listener -> listener.event(new LinkEvent(type, link)));
    }

    private final class Links extends LinkServiceAdapter {
        @Override
        public Iterable<Link> getLinks() {
            return all;
        }

        @Override
        public Set<Link> getLinks(ConnectPoint point) {
            return all.stream().filter(link -> link.src().equals(point) || link.dst().equals(point))
                    .collect(Collectors.toSet());
        }

        @Override
        public void addListener(LinkListener listener) {
            listeners.add(listener);
        }

        @Override
        public void removeListener(LinkListener listener) {
            listeners.remove(listener);
        }
    }
}
