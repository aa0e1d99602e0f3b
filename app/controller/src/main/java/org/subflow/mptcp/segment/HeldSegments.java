// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.Multiset;
import com.google.common.collect.SetMultimap;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Segments that wait until ONOS knows more of their source. Bounded, in all and for each port, so that a flood from one port
 * leaves room for the others. Thread-safe.
 */
final class HeldSegments {
    /** How many may wait. */
    static final int MOST = 1000;
    /** How many of one port may wait. */
    static final int MOST_OF_A_PORT = 100;
    /** How long they wait, nanoseconds: the event of a new host follows its first frame in some milliseconds. */
    static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Set<Held> held = new LinkedHashSet<>();
    private final SetMultimap<HostId, Held> byHost = LinkedHashMultimap.create();
    private final Multiset<ConnectPoint> byPort = HashMultiset.create();

    /** One of them. */
    static final class Held {
        final FiveTuple tuple;
        final ConnectPoint port;
        final Runnable ifValid;
        final Runnable otherwise;
        private final long since;

        /**
         * Makes one.
         *
         * @param tuple     its five-tuple, with the hosts of its frame
         * @param port      where it came in
         * @param ifValid   what happens if its source turns out to be there
         * @param otherwise what happens if not
         * @param now       nanoseconds
         */
        Held(FiveTuple tuple, ConnectPoint port, Runnable ifValid, Runnable otherwise, long now) {
            this.tuple = tuple;
            this.port = port;
            this.ifValid = ifValid;
            this.otherwise = otherwise;
            this.since = now;
        }
    }

    /** Keeps one; returns false if too many wait. */
    synchronized boolean add(Held one) {
        if (held.size() >= MOST || byPort.count(one.port) >= MOST_OF_A_PORT) {
            return false;
        }
        held.add(one);
        byHost.put(one.tuple.sourceHost(), one);
        byPort.add(one.port);
        return true;
    }

    /** Returns those in frames of a host, oldest first; they go on waiting. */
    synchronized List<Held> of(HostId host) {
        return new ArrayList<>(byHost.get(host));
    }

    /** Returns all, oldest first; they go on waiting. */
    synchronized List<Held> all() {
        return new ArrayList<>(held);
    }

    /** Takes one out; returns false if somebody has done so already. */
    synchronized boolean take(Held one) {
        boolean waited = held.remove(one);
        if (waited) {
            forget(one);
        }
        return waited;
    }

    /** Takes out those that have waited long enough, oldest first. */
    synchronized List<Held> takeOld(long now) {
        List<Held> old = new ArrayList<>();
        Iterator<Held> oldest = held.iterator();
        while (oldest.hasNext()) {
            Held one = oldest.next();
            if (now - one.since < NANOS) {
                break;
            }
            oldest.remove();
            forget(one);
            old.add(one);
        }
        return old;
    }

    private void forget(Held one) {
        byHost.remove(one.tuple.sourceHost(), one);
        byPort.remove(one.port);
    }

    /** Returns how many wait. */
    synchronized int size() {
        return held.size();
    }
}
