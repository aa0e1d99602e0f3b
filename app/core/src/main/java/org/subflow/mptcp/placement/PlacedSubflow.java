// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.Objects;
import java.util.Optional;
import org.subflow.mptcp.path.Path;

/**
 * A subflow as placement sees it: the nodes of its hosts, its path and its expected throughput. Immutable.
 *
 * <p>The path leads from the switch of the host that sent the subflow's SYN to the other host's switch. The direction back
 * takes the same links.
 */
public final class PlacedSubflow {
    /** How a subflow came to its path, or why it has none. */
    public enum Role {
        /** The strategy gave it a path. */
        OWN,
        /** No disjoint path existed: it takes the one that has least in common with its siblings' ({@link JoinPolicy#SHARE}). */
        SHARED,
        /**
         * It is a backup, with an expected throughput of 0: no disjoint path existed ({@link JoinPolicy#BACKUP}), or its hosts
         * want that.
         */
        BACKUP,
        /** No disjoint path existed, and the policy lets it have no other ({@link JoinPolicy#BLOCK}). */
        BLOCKED,
        /** It has no path: none joins its hosts, or the search has not run yet. */
        NONE
    }

    private final int source;
    private final int target;
    private final boolean fromClient;
    private final boolean join;
    private final long flowKey;
    private final Role role;
    private final Path path;
    private final Rates expected;
    private final boolean standby;

    private PlacedSubflow(int source, int target, boolean fromClient, boolean join, long flowKey, Role role, Path path,
                          Rates expected, boolean standby) {
        this.source = source;
        this.target = target;
        this.fromClient = fromClient;
        this.join = join;
        this.flowKey = flowKey;
        this.role = Objects.requireNonNull(role, "role");
        this.path = path;
        this.expected = Objects.requireNonNull(expected, "expected");
        this.standby = standby;
    }

    /**
     * Makes a subflow without a path.
     *
     * @param source     node of the host that sent the SYN; -1 if its switch is not part of the network
     * @param target     node of the other host; -1 if its switch is not part of the network
     * @param fromClient whether the connection's client sent the SYN
     * @param join       whether it began with MP_JOIN
     * @param flowKey hash key of the five-tuple, for {@code ecmp}
     * @return the subflow, of role {@link Role#NONE}
     */
    public static PlacedSubflow unplaced(int source, int target, boolean fromClient, boolean join, long flowKey) {
        return new PlacedSubflow(source, target, fromClient, join, flowKey, Role.NONE, null, Rates.ZERO, false);
    }

    /** Returns this subflow as a backup by its hosts' word: whatever path it gets, it takes no part in sharing. */
    public PlacedSubflow standingBy() {
        return new PlacedSubflow(source, target, fromClient, join, flowKey, role, path, expected, true);
    }

    /**
     * Returns this subflow on a path.
     *
     * @param newRole {@link Role#OWN}, {@link Role#SHARED} or {@link Role#BACKUP}; of one that stands by always the last
     * @param newPath from source to target; null between hosts of one switch
     */
    public PlacedSubflow on(Role newRole, Path newPath) {
        return new PlacedSubflow(source, target, fromClient, join, flowKey, standby ? Role.BACKUP : newRole, newPath, expected,
                                 standby);
    }

    /** Returns this subflow without a path, in role {@link Role#BLOCKED} or {@link Role#NONE}, with expected throughput 0. */
    public PlacedSubflow withoutPath(Role newRole) {
        return new PlacedSubflow(source, target, fromClient, join, flowKey, newRole, null, Rates.ZERO, standby);
    }

    /** Returns this subflow with another expected throughput. */
    public PlacedSubflow withExpected(Rates newExpected) {
        return new PlacedSubflow(source, target, fromClient, join, flowKey, role, path, newExpected, standby);
    }

    /** Returns the node of the host that sent the SYN; -1 if its switch is not part of the network. */
    public int source() {
        return source;
    }

    /** Returns the node of the other host; -1 if its switch is not part of the network. */
    public int target() {
        return target;
    }

    /** Returns whether the connection's client sent the SYN. */
    public boolean fromClient() {
        return fromClient;
    }

    /** Returns whether it began with MP_JOIN. */
    public boolean isJoin() {
        return join;
    }

    /** Returns the hash key of the five-tuple, for {@code ecmp}. */
    public long flowKey() {
        return flowKey;
    }

    /** Returns how it came to its path, or why it has none. */
    public Role role() {
        return role;
    }

    /** Returns whether it takes part in sharing: it has a path and is no backup. */
    public boolean isActive() {
        return role == Role.OWN || role == Role.SHARED;
    }

    /** Returns whether it has a path, also if that is the empty one between hosts of one switch. */
    public boolean isPlaced() {
        return isActive() || role == Role.BACKUP;
    }

    /** Returns the path; empty if it has none, or its hosts share a switch. */
    public Optional<Path> path() {
        return Optional.ofNullable(path);
    }

    /** Returns the expected throughput in bit/s, seen from the connection's client. */
    public Rates expected() {
        return expected;
    }

    /** Returns the arcs of its path in one direction of the connection, in order; empty without a path. */
    public int[] arcs(boolean upwards) {
        if (path == null) {
            return new int[0];
        }
        return upwards == fromClient ? path.arcs() : path.reverseArcs();
    }

    /** Returns whether this subflow and another are on the same path and both active, both backup, or neither. */
    public boolean isPlacedLike(PlacedSubflow other) {
        return Objects.equals(path, other.path) && isActive() == other.isActive() && isPlaced() == other.isPlaced();
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof PlacedSubflow)) {
            return false;
        }
        PlacedSubflow that = (PlacedSubflow) other;
        return source == that.source && target == that.target && fromClient == that.fromClient && join == that.join
                && flowKey == that.flowKey && role == that.role && standby == that.standby && Objects.equals(path, that.path)
                && expected.equals(that.expected);
    }

    @Override
    public int hashCode() {
        return Objects.hash(source, target, role, path);
    }

    @Override
    public String toString() {
        return role + (path == null ? "" : " " + path) + " " + expected;
    }
}
