// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkService;

/**
 * The ports at which links end, kept by ONOS's link events. ONOS itself searches all links for those of a port, which is too
 * slow for every packet. A port stays one of them for a moment after its last link: the link may come back. Thread-safe.
 */
public final class LinkPorts {
    private static final long LOST_SECONDS = 10;

    private final LinkService links;
    private final LinkListener listener = this::changed;
    private final Set<ConnectPoint> ports = ConcurrentHashMap.newKeySet();
    private final Cache<ConnectPoint, Boolean> lost;

    /** Makes it; it knows no port before {@link #start}. */
    public LinkPorts(LinkService links, Ticker clock) {
        this.links = checkNotNull(links, "links");
        this.lost = CacheBuilder.newBuilder().ticker(clock).expireAfterWrite(LOST_SECONDS, TimeUnit.SECONDS).build();
    }

    /** Begins to follow ONOS's links. */
    public void start() {
        links.addListener(listener);
        links.getLinks().forEach(this::add);
    }

    /** Follows them no longer. */
    public void stop() {
        links.removeListener(listener);
    }

    /** Returns whether a link ends at a port, or did until a moment ago. */
    public boolean contains(ConnectPoint port) {
        return ports.contains(port) || lost.getIfPresent(port) != null;
    }

    private void changed(LinkEvent event) {
        if (event.type() == LinkEvent.Type.LINK_REMOVED) {
            remove(event.subject());
        } else {
            add(event.subject());
        }
    }

    private void add(Link link) {
        ports.add(link.src());
        ports.add(link.dst());
    }

    private void remove(Link link) {
        for (ConnectPoint end : List.of(link.src(), link.dst())) {
            if (links.getLinks(end).isEmpty()) {
                lost.put(end, true);
                ports.remove(end);
            }
        }
    }
}
