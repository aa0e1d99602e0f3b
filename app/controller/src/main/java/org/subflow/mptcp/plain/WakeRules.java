// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.TupleMatch;
import org.subflow.mptcp.rules.WantedRules;

/**
 * Rules that bring a connection's next packet to the controller: one exact rule at the switch where the packet enters. A
 * connection without rules of its own shows so that it is alive, at a switch that sends only SYN, FIN and RST otherwise.
 *
 * <p>A switch has {@link #MOST_PER_SWITCH} of these rules at most. Where more connections wait, they take turns: at once
 * whoever has had none, and slowly those that were silent in an earlier turn. Who got no rule because the switch refused it waits
 * for another turn; on a full flow table the turns are on the rules that it has taken. Thread-safe.
 */
public final class WakeRules {
    /** Limit of rules in a switch. */
    public static final int MOST_PER_SWITCH = 32;
    /** Limit of connections that wait for their turn at a switch; the oldest are forgotten first. */
    static final int MOST_WAITING = 10_000;

    private final OwnRules rules;
    private final Map<FiveTuple, ConnectPoint> wanted = new ConcurrentHashMap<>();
    private final Map<DeviceId, WakeTurns> switches = new HashMap<>();
    private final RefusingSwitches refusing;
    private final Consumer<DeviceId> whenFull;

    /**
     * Makes a keeper of wake rules.
     *
     * @param rules      the application's rules; not null
     * @param clockNanos a monotonic clock, nanoseconds; not null
     * @param whenFull   told of a switch that refuses wake rules for seconds, on a thread of ONOS's; not null
     */
    public WakeRules(OwnRules rules, LongSupplier clockNanos, Consumer<DeviceId> whenFull) {
        this.rules = checkNotNull(rules, "rules");
        this.refusing = new RefusingSwitches(checkNotNull(clockNanos, "clockNanos"));
        this.whenFull = checkNotNull(whenFull, "whenFull");
    }

    /**
     * Forgets the five-tuples for which nobody waits any more; to be called every few seconds.
     *
     * @param isWanted whether somebody waits for packets of a five-tuple
     */
    public synchronized void sweep(Predicate<FiveTuple> isWanted) {
        List.copyOf(wanted.keySet()).stream().filter(isWanted.negate()).forEach(this::ignore);
    }

    /** Returns the rules of those whose turn it is. */
    public synchronized WantedRules wanted() {
        return new WantedRules(switches.values().stream().flatMap(WakeTurns::armed).map(tuple -> rule(tuple, wanted.get(tuple))),
                               other -> false);
    }

    private WakeTurns turns(DeviceId device) {
        return switches.computeIfAbsent(device, unused -> new WakeTurns(MOST_PER_SWITCH));
    }

    /**
     * Asks for the next packet of a five-tuple.
     *
     * @param tuple   its source sends the packet; not null
     * @param ingress where its source is attached; not null
     */
    public synchronized void watch(FiveTuple tuple, ConnectPoint ingress) {
        ConnectPoint before = wanted.put(tuple, ingress);
        if (ingress.equals(before)) {
            return;
        }
        if (before != null) {
            forget(tuple, before);
        }
        WakeTurns turns = turns(ingress.deviceId());
        turns.arrive(tuple).ifPresent(this::remove);
        fill(ingress.deviceId(), turns);
        if (turns.waiting() > MOST_WAITING) {
            wanted.remove(turns.dropOldest());
        }
    }

    /** Asks no longer for packets of a five-tuple; without effect if nobody did. */
    public synchronized void ignore(FiveTuple tuple) {
        ConnectPoint ingress = wanted.remove(tuple);
        if (ingress != null) {
            forget(tuple, ingress);
        }
    }

    /** Returns whether packets of a five-tuple are asked for. */
    public boolean isWatched(FiveTuple tuple) {
        return wanted.containsKey(tuple);
    }

    /** Gives the rules of the oldest to those that wait; to be called every few seconds. */
    public synchronized void takeTurns() {
        switches.forEach((device, turns) -> {
            if (!refusing.isPausing(device)) {
                turns.change().forEach(this::remove);
                fill(device, turns);
            }
        });
    }

    private void forget(FiveTuple tuple, ConnectPoint ingress) {
        WakeTurns turns = switches.get(ingress.deviceId());
        if (turns.leave(tuple)) {
            rules.remove(List.of(rule(tuple, ingress)));
            fill(ingress.deviceId(), turns);
        }
    }

    private void remove(FiveTuple tuple) {
        rules.remove(List.of(rule(tuple, wanted.get(tuple))));
    }

    private void fill(DeviceId device, WakeTurns turns) {
        while (turns.canBegin() && refusing.mayBeAsked(device)) {
            FiveTuple next = turns.begin();
            install(next, wanted.get(next));
        }
    }

    private void install(FiveTuple tuple, ConnectPoint ingress) {
        rules.apply(FlowRuleOperations.builder().add(rule(tuple, ingress)), isDone -> {
            if (isDone) {
                accepted(ingress.deviceId());
            } else if (refused(tuple, ingress)) {
                whenFull.accept(ingress.deviceId());
            }
        });
    }

    private synchronized void accepted(DeviceId device) {
        refusing.accepted(device);
    }

    /** Returns whether the switch's flow table counts as full. */
    private synchronized boolean refused(FiveTuple tuple, ConnectPoint ingress) {
        if (turns(ingress.deviceId()).refused(tuple)) {
            // Else ONOS would ask for it again with each report of the switch.
            rules.remove(List.of(rule(tuple, ingress)));
        }
        return refusing.refused(ingress.deviceId());
    }

    private FlowRule rule(FiveTuple tuple, ConnectPoint ingress) {
        return RuleKind.WAKE.rule(rules.appId(), ingress.deviceId(),
                                  DefaultTrafficSelector.builder(TupleMatch.of(tuple)).matchInPort(ingress.port()).build(),
                                  DefaultTrafficTreatment.builder().punt().build());
    }
}
