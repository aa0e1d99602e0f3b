// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Whose turn it is to have a wake rule in one switch: at once whoever has had none, and slowly those that were silent in an
 * earlier turn. Within each kind the oldest comes first. A switch whose flow table is full has fewer places: as many as it has
 * taken rules, and those that wait take turns on these. It installs nothing.
 */
final class WakeTurns {
    /** How many of those that were silent in an earlier turn get another one when turns change. */
    private static final int MOST_SILENT_AT_ONCE = 4;

    private final int most;
    /** So many rules the switch has taken, as far as known. */
    private int fitting;
    private final Set<FiveTuple> first = new LinkedHashSet<>();
    private final Set<FiveTuple> again = new LinkedHashSet<>();
    private final Set<FiveTuple> fresh = new LinkedHashSet<>();
    private final Set<FiveTuple> silent = new LinkedHashSet<>();

    /** Makes it for so many rules at most. */
    WakeTurns(int most) {
        this.most = most;
        this.fitting = most;
    }

    /** Takes a new five-tuple in; returns the one whose turn ends for it, if one was silent in an earlier turn. */
    Optional<FiveTuple> arrive(FiveTuple tuple) {
        fresh.add(tuple);
        return count() < fitting || again.isEmpty() ? Optional.empty() : Optional.of(end(again));
    }

    /** Forgets a five-tuple; returns whether it was its turn. */
    boolean leave(FiveTuple tuple) {
        boolean hadTurn = first.remove(tuple) || again.remove(tuple);
        if (!hadTurn && !fresh.remove(tuple)) {
            silent.remove(tuple);
        }
        return hadTurn;
    }

    /** Forgets the one that has waited longest, and returns it. */
    FiveTuple dropOldest() {
        return poll(silent.isEmpty() ? fresh : silent);
    }

    /** Returns whether somebody waits and there is a place. */
    boolean canBegin() {
        return count() < most && waiting() > 0;
    }

    /** Begins the turn of the next that waits, and returns it. */
    FiveTuple begin() {
        boolean isFresh = !fresh.isEmpty();
        FiveTuple tuple = poll(isFresh ? fresh : silent);
        (isFresh ? first : again).add(tuple);
        fitting = Math.max(fitting, count());
        return tuple;
    }

    /** Ends the turns of the oldest, so that those that wait find places; returns whose. */
    List<FiveTuple> change() {
        int places = Math.min(fresh.size() + Math.min(silent.size(), MOST_SILENT_AT_ONCE), (fitting + 1) / 2);
        List<FiveTuple> ended = new ArrayList<>();
        while (fitting - count() < places) {
            ended.add(end(again.isEmpty() ? first : again));
        }
        return ended;
    }

    /** Ends the turn of a five-tuple that got no rule: it waits as before. Returns whether it was its turn. */
    boolean refused(FiveTuple tuple) {
        boolean isFresh = first.remove(tuple);
        boolean hadTurn = isFresh || again.remove(tuple);
        if (hadTurn) {
            (isFresh ? fresh : silent).add(tuple);
            fitting = count();
        }
        return hadTurn;
    }

    /** The oldest was silent in its turn. */
    private FiveTuple end(Set<FiveTuple> from) {
        FiveTuple tuple = poll(from);
        silent.add(tuple);
        return tuple;
    }

    private static FiveTuple poll(Set<FiveTuple> tuples) {
        Iterator<FiveTuple> each = tuples.iterator();
        FiveTuple oldest = each.next();
        each.remove();
        return oldest;
    }

    /** Returns those whose turn it is. */
    Stream<FiveTuple> armed() {
        return Stream.concat(first.stream(), again.stream());
    }

    /** Returns how many wait for a turn. */
    int waiting() {
        return fresh.size() + silent.size();
    }

    private int count() {
        return first.size() + again.size();
    }
}
