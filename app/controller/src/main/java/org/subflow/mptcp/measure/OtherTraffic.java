// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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
 * What links carry beside our subflows, by a {@link LinkAccount} of each.
 *
 * <p>A value is told only if it differs from the one told before by more than the estimate's uncertainty and a fiftieth of
 * the capacity: after three seconds if the difference is large, after ten if it takes that long to be sure. Less than a
 * twentieth of a link's capacity, or than the uncertainty, is taken for nothing. Learns on the control loop only; any
 * thread may ask.
 */
public final class OtherTraffic {
    /** Windows over which the traffic is estimated, seconds: the first one whose estimate says something new counts. */
    private static final double[] WINDOWS = {3, 10};
    private static final double NOISE = 0.05;
    private static final double NOTICEABLE = 0.02;

    /** Tells what the rules of subflows have counted. */
    public interface RuleCounters {
        /**
         * Returns the counter of the rule by which one direction of a subflow enters the network.
         *
         * @param connection the subflow's connection
         * @param subflow    the subflow
         * @param alongSyn   whether the direction of its SYN is meant
         * @return its last two readings; null if it has not been read often enough
         */
        CounterSpan span(Connection connection, Subflow subflow, boolean alongSyn);
    }

    private final ToDoubleFunction<Link> claimed;
    private final Map<LinkKey, LinkAccount> accounts = new HashMap<>();
    private final Map<LinkKey, Double> told = new ConcurrentHashMap<>();

    /** Makes an observer of a network in which nobody else reserves anything. */
    public OtherTraffic() {
        this(link -> 0);
    }

    /**
     * Makes an observer.
     *
     * @param claimed what others have reserved on a directed link, bit/s: that much traffic has its room already; not null
     */
    public OtherTraffic(ToDoubleFunction<Link> claimed) {
        this.claimed = checkNotNull(claimed, "claimed");
    }

    /**
     * Returns what a directed link carries beside our subflows and beyond what others have reserved, bit/s; 0 if that is
     * next to nothing.
     */
    public double on(Link link) {
        return Math.max(0, told.getOrDefault(LinkKey.linkKey(link), 0.0) - claimed.applyAsDouble(link));
    }

    /**
     * Learns from new readings.
     *
     * @param network     the network
     * @param connections those on it
     * @param rules       the counters of their rules
     * @param ports       the last reading of what a directed link's source port has sent; empty if there is none
     * @return whether a link's value has moved noticeably
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
            moved |= tell(key, account, network.capacity(link) + claimed.applyAsDouble(link));
        }
        accounts.keySet().removeIf(key -> network.arc(key) < 0);
        told.keySet().removeIf(key -> network.arc(key) < 0);
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

    private boolean tell(LinkKey key, LinkAccount account, double capacity) {
        double said = told.getOrDefault(key, 0.0);
        for (double window : WINDOWS) {
            Optional<Estimate> estimate = account.over(window);
            if (estimate.isPresent()) {
                double rate = Math.min(estimate.get().rate(), capacity);
                double error = estimate.get().error();
                if (Math.abs(rate - said) > error + NOTICEABLE * capacity) {
                    double say = rate < Math.max(error, NOISE * capacity) ? 0 : rate;
                    told.put(key, say);
                    return say != said;
                }
            }
        }
        return false;
    }
}
