// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.history;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.api.monitoring.LifeEvent.Kind;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.placement.Rates;

/** Derives the events of a connection by comparison with its previous state. */
final class Changes {
    private static final double NOTABLE_PART = 0.01;
    private static final double NOTABLE_BPS = 10_000;
    private static final double BPS_PER_HUNDREDTH = 1e4;

    private final long millis;
    private final Connection before;
    private final Connection sharesBefore;
    private final Connection after;
    private final String cause;
    private final NameService names;
    private final List<LifeEvent> found = new ArrayList<>();

    private Changes(long millis, Connection before, Connection sharesBefore, ConnectionEvent event, NameService names) {
        this.millis = millis;
        this.before = before;
        this.sharesBefore = sharesBefore;
        this.after = event.subject();
        this.names = names;
        this.cause = event.cause().map(Object::toString).orElse(null);
    }

    /**
     * Compares a connection with its previous state.
     *
     * @param millis       when the event came, milliseconds of the Unix epoch
     * @param before       the connection before; null if it was not known
     * @param sharesBefore the connection with the shares to compare with; null if they are not known
     * @param isOpened     whether an earlier event reported its opening
     * @param event        the event, with the connection as it is now
     * @param names        how switches are called
     * @return the changes, in a sensible order; empty if none is notable
     */
    static List<LifeEvent> of(long millis, Connection before, Connection sharesBefore, boolean isOpened,
                              ConnectionEvent event, NameService names) {
        Changes changes = new Changes(millis, before, sharesBefore, event, names);
        changes.connection(event.type(), isOpened);
        if (event.type() != ConnectionEvent.Type.CLOSED) {
            changes.subflows();
            changes.shares();
        }
        return changes.found;
    }

    private void connection(ConnectionEvent.Type type, boolean isOpened) {
        switch (type) {
            case OPENED:
                if (isOpened) {
                    add(Kind.WOKEN, null, "has rules again", "it sends again");
                } else {
                    add(Kind.OPENED, null, after.client() + " opened a connection to " + after.server(), null);
                }
                break;
            case AWAITED:
                add(Kind.OPENED, null, after.client() + " is to open a connection to " + after.server(), "added by an operator");
                break;
            case INSTALLED:
                add(Kind.INSTALLED, null, "its rules are in the switches", null);
                break;
            case DOWN:
                add(Kind.DOWN, null, "no path joins its hosts", "links or switches between them are down");
                break;
            case IDLE:
                add(Kind.IDLE, null, "its rules and bandwidth are given back", "no packet for the idle time");
                break;
            case DEMOTED:
                add(Kind.DEMOTED, null, "its rules and bandwidth are given back until it sends more",
                    "it had them for its age, and has sent little since");
                break;
            case CLOSED:
                add(Kind.CLOSED, null, "forgotten", cause);
                break;
            default:
                break;
        }
    }

    private void subflows() {
        for (Subflow now : after.subflows()) {
            Optional<Subflow> was = before == null ? Optional.empty() : before.subflow(now.tuple());
            if (was.isPresent()) {
                path(was.get(), now);
            } else {
                joined(now);
            }
        }
        if (before != null) {
            before.subflows().stream()
                    .filter(was -> after.subflow(was.tuple()).isEmpty())
                    .forEach(was -> add(Kind.LEFT, was, "is no longer part of this connection", was.isUsed()
                            ? "its addresses and ports were used for another" : "another came in its place"));
        }
    }

    private void joined(Subflow subflow) {
        switch (subflow.state()) {
            case BACKUP:
                add(Kind.PARKED, subflow, "joined as a backup on " + path(subflow), whyBackup(subflow));
                break;
            case BLOCKED:
                add(Kind.BLOCKED, subflow, "its MP_JOIN is dropped", "no disjoint path is left for it");
                break;
            case DOWN:
                add(Kind.LOST, subflow, "has no path", "none joins its hosts");
                break;
            case IDLE:
                idle(subflow);
                break;
            default:
                add(Kind.JOINED, subflow, (subflow.isJoin() ? "joined on " : "began on ") + path(subflow), null);
                break;
        }
    }

    private static String whyBackup(Subflow subflow) {
        return subflow.isBackup() ? "a host wants it to be used only when no other works" : "no disjoint path is left for it";
    }

    private void path(Subflow was, Subflow now) {
        if (was.state() == SubflowState.BLOCKED && now.state() == SubflowState.BLOCKED) {
            return;
        }
        if (now.state() == SubflowState.IDLE && was.state() != SubflowState.IDLE) {
            idle(now);
        } else if (was.state() == SubflowState.IDLE && now.isRouted()) {
            add(Kind.WOKEN, now, "has rules again, on " + path(now), "a packet of it came while it was idle");
        } else if (was.isRouted() && !now.isRouted()) {
            add(Kind.LOST, now, "lost its path " + path(was), "a link or switch of it is gone, and there is no other");
        } else if (!was.isRouted() && now.isRouted()) {
            add(Kind.RESTORED, now, "has a path again: " + path(now), null);
        } else if (!was.path().equals(now.path())) {
            add(Kind.MOVED, now, "moved from " + path(was) + " to " + path(now), cause);
        } else if (was.state() != SubflowState.BACKUP && now.state() == SubflowState.BACKUP) {
            add(Kind.PARKED, now, "is a backup on " + path(now), whyBackup(now));
        } else if (was.state() == SubflowState.BACKUP && now.state() == SubflowState.ACTIVE) {
            add(Kind.RESTORED, now, "is no backup any more, on " + path(now), null);
        }
    }

    private void idle(Subflow subflow) {
        add(Kind.IDLE, subflow, "its rules and bandwidth are given back",
             "no packet for the idle time while others ran: its hosts have ended it, or do not use it now");
    }

    /** Adds the change of the connection's share, in the direction with the greater change. */
    private void shares() {
        boolean isIdle = after.subflows().stream().allMatch(subflow -> subflow.expected().equals(Rates.ZERO));
        if (sharesBefore == null || isIdle) {
            return;
        }
        Direction most = change(Direction.UP) >= change(Direction.DOWN) ? Direction.UP : Direction.DOWN;
        double from = most.of(sharesBefore.expected());
        double to = most.of(after.expected());
        if (change(most) > Math.max(NOTABLE_BPS, NOTABLE_PART * Math.max(from, to))) {
            add(Kind.SHARE, null, shareText(from, to, most), "connections, capacities or other traffic changed");
        }
    }

    /** Returns the sum of the changes of the subflows' expected throughputs in one direction, bit/s. */
    private double change(Direction direction) {
        return after.subflows().stream()
                .mapToDouble(now -> Math.abs(direction.of(now.expected()) - sharesBefore.subflow(now.tuple())
                        .map(was -> direction.of(was.expected())).orElse(0.0)))
                .sum();
    }

    /** Describes a change of an expected throughput, both values in bit/s, with the new parts of the subflows. */
    private String shareText(double from, double to, Direction direction) {
        String parts = after.subflows().size() == 1 ? "" : after.subflows().stream()
                .map(subflow -> mbps(direction.of(subflow.expected())))
                .collect(Collectors.joining(" + ", " (", ")"));
        return "expected " + (direction == Direction.UP ? "to the server: " : "to the client: ") + mbps(from) + " → " + mbps(to) + " Mbit/s" + parts;
    }

    private static String mbps(double bps) {
        return BigDecimal.valueOf(Math.round(bps / BPS_PER_HUNDREDTH), 2).toPlainString();
    }

    private String path(Subflow subflow) {
        return names.path(subflow.devices());
    }

    private void add(Kind kind, Subflow subflow, String text, String why) {
        found.add(new LifeEvent(millis, after.id(), kind, subflow == null ? null : subflow.tuple(), text, why));
    }
}
