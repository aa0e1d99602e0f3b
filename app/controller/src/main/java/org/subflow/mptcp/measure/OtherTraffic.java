// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.measure.LinkAccount.Estimate;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.PortCounter;

/**
 * Estimates the other traffic on links, that is all traffic but our subflows, by a {@link LinkAccount} of each link.
 *
 * <p>A new value replaces the reported one only if the two differ by more than the uncertainty and a fiftieth of the
 * capacity. A large difference shows after three seconds, a small one after ten. Bursts that are shorter than an
 * interval do not show on links without our subflows. Values below a twentieth of the capacity, or below the uncertainty, count
 * as 0. The control loop updates the estimates; any thread may ask.
 */
public final class OtherTraffic {
    /** Windows of the estimate, seconds: the first window with a significant change counts. */
    private static final double[] WINDOWS = {3, 10};
    private static final double NOISE = 0.05;
    private static final double NOTICEABLE = 0.02;

    /** Gives the counters of subflows' rules. */
    public interface RuleCounters {
        /**
         * Returns the counter of the rule at which one direction of a subflow enters the network.
         *
         * @param connection the subflow's connection
         * @param subflow    the subflow
         * @param alongSyn   true for the direction of its SYN, false for the opposite one
         * @return its last two readings; null if there are too few
         */
        CounterSpan span(Connection connection, Subflow subflow, boolean alongSyn);
    }

    private final ToDoubleFunction<Link> reservedByOthers;
    private final Map<LinkKey, LinkAccount> accounts = new HashMap<>();
    private final Map<LinkKey, Double> reported = new ConcurrentHashMap<>();
    private final AtomicLong changes = new AtomicLong();

    /**
     * Makes an estimator.
     *
     * @param reservedByOthers other applications' reservations on a directed link, bit/s, which cover that much of the
     *                         traffic; not null
     */
    public OtherTraffic(ToDoubleFunction<Link> reservedByOthers) {
        this.reservedByOthers = checkNotNull(reservedByOthers, "reservedByOthers");
    }

    /**
     * Returns the other traffic on a directed link beyond other applications' reservations, bit/s; 0 if it is
     * insignificant.
     */
    public double on(Link link) {
        return Math.max(0, reported.getOrDefault(LinkKey.linkKey(link), 0.0) - reservedByOthers.applyAsDouble(link));
    }

    /** Returns how often a reported value has changed. */
    public long changes() {
        return changes.get();
    }

    /**
     * Updates the estimates from new readings.
     *
     * @param network     the network
     * @param connections the connections on the network
     * @param rules       the counters of their rules
     * @param ports       the last reading of a directed link's source port; empty if there is none
     * @return whether a reported value has changed
     */
    public boolean update(NetworkSnapshot network, List<Connection> connections, RuleCounters rules,
                          Function<Link, Optional<PortCounter>> ports) {
        Map<LinkKey, Map<Object, CounterSpan>> ours = ours(connections, rules);
        boolean moved = false;
        for (Link link : network.links()) {
            LinkKey key = LinkKey.linkKey(link);
            LinkAccount account = accounts.computeIfAbsent(key, unused -> new LinkAccount());
            ports.apply(link).ifPresent(account::read);
            account.settle(ours.getOrDefault(key, ImmutableMap.of()));
            moved |= report(key, account, network.capacity(link) + reservedByOthers.applyAsDouble(link));
        }
        accounts.keySet().removeIf(key -> network.arc(key) < 0);
        moved |= reported.keySet().removeIf(key -> network.arc(key) < 0);
        if (moved) {
            changes.incrementAndGet();
        }
        return moved;
    }

    private static Map<LinkKey, Map<Object, CounterSpan>> ours(List<Connection> connections, RuleCounters rules) {
        Map<LinkKey, Map<Object, CounterSpan>> ours = new HashMap<>();
        for (Connection connection : connections) {
            for (Subflow subflow : connection.subflows()) {
                for (boolean alongSyn : new boolean[] {true, false}) {
                    List<Link> links = alongSyn ? subflow.path() : subflow.reversePath();
                    CounterSpan span = links.isEmpty() ? null : rules.span(connection, subflow, alongSyn);
                    Object name = alongSyn ? subflow.tuple() : subflow.tuple().reversed();
                    links.forEach(link -> ours.computeIfAbsent(LinkKey.linkKey(link), unused -> new HashMap<>())
                            .put(name, span));
                }
            }
        }
        return ours;
    }

    private boolean report(LinkKey key, LinkAccount account, double capacity) {
        double before = reported.getOrDefault(key, 0.0);
        for (double window : WINDOWS) {
            Optional<Estimate> estimate = account.over(window);
            if (estimate.isPresent()) {
                double rate = Math.min(estimate.get().rate, capacity);
                double error = estimate.get().error;
                if (Math.abs(rate - before) > error + NOTICEABLE * capacity) {
                    double after = rate < Math.max(error, NOISE * capacity) ? 0 : rate;
                    reported.put(key, after);
                    return after != before;
                }
            }
        }
        return false;
    }
}
