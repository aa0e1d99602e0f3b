// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.MoreObjects;
import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Objects;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.subflow.mptcp.placement.Rates;

/**
 * A subflow of an MPTCP connection (RFC 8684 section 1.3) with its path.
 *
 * <p>Immutable; the {@code with…} methods return changed copies. The five-tuple's source is the host that sent the
 * subflow's SYN. The path runs from that host's switch to the other host's switch, and {@code reversePath} is the same path
 * in the other direction. Both are empty if the hosts share a switch or if there is no path.
 */
public final class Subflow {
    private final FiveTuple tuple;
    private final boolean fromClient;
    private final boolean join;
    private final SubflowState state;
    private final ConnectPoint ingress;
    private final ConnectPoint egress;
    private final ImmutableList<Link> path;
    private final ImmutableList<Link> reversePath;
    private final double bottleneck;
    private final Rates expected;
    private final boolean backup;

    private Subflow(FiveTuple tuple, boolean fromClient, boolean join, SubflowState state, ConnectPoint ingress,
                    ConnectPoint egress, List<Link> path, List<Link> reversePath, double bottleneck, Rates expected,
                    boolean backup) {
        this.tuple = checkNotNull(tuple, "tuple");
        this.fromClient = fromClient;
        this.join = join;
        this.state = checkNotNull(state, "state");
        this.ingress = checkNotNull(ingress, "ingress");
        this.egress = checkNotNull(egress, "egress");
        this.path = ImmutableList.copyOf(path);
        this.reversePath = ImmutableList.copyOf(reversePath);
        this.bottleneck = bottleneck;
        this.expected = checkNotNull(expected, "expected");
        this.backup = backup;
    }

    /**
     * Makes a subflow that has no path yet ({@link SubflowState#DOWN}).
     *
     * @param tuple      five-tuple, its source the sender of the SYN; not null
     * @param fromClient whether that sender is the connection's client
     * @param join       whether it began with an MP_JOIN
     * @param ingress    attachment point of the SYN's sender; not null
     * @param egress     attachment point of the other host; not null
     * @return the subflow
     */
    public static Subflow unrouted(FiveTuple tuple, boolean fromClient, boolean join,
                                   ConnectPoint ingress, ConnectPoint egress) {
        return new Subflow(tuple, fromClient, join, SubflowState.DOWN, ingress, egress,
                           ImmutableList.of(), ImmutableList.of(), 0, Rates.ZERO, false);
    }

    /**
     * Returns this subflow on a path.
     *
     * @param newState       {@link SubflowState#ACTIVE} or {@link SubflowState#BACKUP}
     * @param newPath        links from the ingress switch to the egress switch
     * @param newReversePath the same links in reverse
     * @param newBottleneck  smallest capacity on the path in the direction of the SYN, bit/s
     * @return the routed subflow
     */
    public Subflow withRoute(SubflowState newState, List<Link> newPath, List<Link> newReversePath,
                             double newBottleneck) {
        return new Subflow(tuple, fromClient, join, newState, ingress, egress,
                           newPath, newReversePath, newBottleneck, expected, backup);
    }

    /**
     * Returns this subflow without a path: {@link SubflowState#DOWN}, {@link SubflowState#BLOCKED} or
     * {@link SubflowState#IDLE}.
     */
    public Subflow withoutRoute(SubflowState newState) {
        return new Subflow(tuple, fromClient, join, newState, ingress, egress,
                           ImmutableList.of(), ImmutableList.of(), 0, Rates.ZERO, backup);
    }

    /** Returns this subflow with another expected throughput (bit/s, seen from the connection's client). */
    public Subflow withExpected(Rates newExpected) {
        return with(newExpected, bottleneck);
    }

    /**
     * Returns this subflow with another expected throughput (bit/s, seen from the connection's client), after links of its path may
     * have got another capacity.
     *
     * @param newBottleneck the smallest capacity on its path now, bit/s
     */
    public Subflow with(Rates newExpected, double newBottleneck) {
        return newExpected.equals(expected) && newBottleneck == bottleneck ? this
                : new Subflow(tuple, fromClient, join, state, ingress, egress, path, reversePath, newBottleneck, newExpected, backup);
    }

    /**
     * Returns this subflow with what its hosts want of it; see {@link #isBackup}. One that is no backup any more is ACTIVE on its
     * path; {@link Connection#withPriorities} puts one that is to be a backup in its state.
     */
    public Subflow withBackup(boolean newBackup) {
        SubflowState newState = backup && state == SubflowState.BACKUP ? SubflowState.ACTIVE : state;
        return newBackup == backup ? this : new Subflow(tuple, fromClient, join, newState, ingress, egress, path, reversePath,
                                                        bottleneck, expected, newBackup);
    }

    /** Returns this subflow on its path, if it has one, in state BACKUP and without a share, or in state ACTIVE. */
    Subflow standingBy(boolean isStandby) {
        SubflowState wanted = isStandby ? SubflowState.BACKUP : SubflowState.ACTIVE;
        return !isRouted() || state == wanted ? this
                : withRoute(wanted, path, reversePath, bottleneck).withExpected(isStandby ? Rates.ZERO : expected);
    }

    /** Returns this subflow between other attachment points, without a path. */
    public Subflow withEnds(ConnectPoint newIngress, ConnectPoint newEgress) {
        return new Subflow(tuple, fromClient, join, SubflowState.DOWN, newIngress, newEgress,
                           ImmutableList.of(), ImmutableList.of(), 0, Rates.ZERO, backup);
    }

    /** Returns the five-tuple in the direction of the subflow's SYN. */
    public FiveTuple tuple() {
        return tuple;
    }

    /** Returns whether the connection's client sent the subflow's SYN. */
    public boolean fromClient() {
        return fromClient;
    }

    /** Returns whether the subflow began with an MP_JOIN. */
    public boolean isJoin() {
        return join;
    }

    /**
     * Returns whether a host has said that it is to be used only when no other subflow works: flag B of MP_JOIN, or MP_PRIO
     * (RFC 8684, sections 3.2 and 3.3.8). A subflow that the JOIN policy or an agent has made a backup is none in this sense.
     */
    public boolean isBackup() {
        return backup;
    }

    /** Returns the state. */
    public SubflowState state() {
        return state;
    }

    /** Returns whether it has a path; the path between two hosts of one switch is empty. */
    public boolean isRouted() {
        return state == SubflowState.ACTIVE || state == SubflowState.BACKUP;
    }

    /** Returns whether its hosts use it, as far as is known: it has a path or waits for one. */
    public boolean isUsed() {
        return isRouted() || state == SubflowState.DOWN;
    }

    /** Returns the attachment point of the SYN's sender. */
    public ConnectPoint ingress() {
        return ingress;
    }

    /** Returns the attachment point of the SYN's receiver. */
    public ConnectPoint egress() {
        return egress;
    }

    /** Returns the links from the ingress switch to the egress switch. */
    public List<Link> path() {
        return path;
    }

    /** Returns the same links in the other direction, from the egress switch to the ingress switch. */
    public List<Link> reversePath() {
        return reversePath;
    }

    /** Returns the switches of the path in order; empty without a path. */
    public List<DeviceId> devices() {
        if (!isRouted()) {
            return ImmutableList.of();
        }
        ImmutableList.Builder<DeviceId> devices = ImmutableList.builder();
        devices.add(ingress.deviceId());
        path.forEach(link -> devices.add(link.dst().deviceId()));
        return devices.build();
    }

    /** Returns the smallest capacity on the path, bit/s, in the direction of the SYN; 0 without a path. */
    public double bottleneck() {
        return bottleneck;
    }

    /** Returns the expected throughput, which is also the reserved bandwidth: bit/s, seen from the connection's client. */
    public Rates expected() {
        return expected;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Subflow)) {
            return false;
        }
        Subflow that = (Subflow) other;
        return tuple.equals(that.tuple)
                && fromClient == that.fromClient
                && join == that.join
                && state == that.state
                && ingress.equals(that.ingress)
                && egress.equals(that.egress)
                && path.equals(that.path)
                && bottleneck == that.bottleneck
                && backup == that.backup
                && expected.equals(that.expected);
    }

    @Override
    public int hashCode() {
        return Objects.hash(tuple, state, path, expected);
    }

    @Override
    public String toString() {
        return MoreObjects.toStringHelper(this)
                .add("tuple", tuple)
                .add("state", state)
                .add("path", devices())
                .add("expected", expected)
                .toString();
    }
}
