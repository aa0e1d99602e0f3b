// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.path.Path;

/** A connection as placement sees it: terms, demand and subflows. Immutable. */
public final class PlacedConnection {
    private final String id;
    private final PlacementTerms terms;
    private final Demand demand;
    private final List<PlacedSubflow> subflows;

    /**
     * Makes a connection.
     *
     * @param id       its name, which tells it from the others of a {@link NetworkState}; not null
     * @param terms strategy, JOIN policy, weight and cap; not null
     * @param demand its demand in each direction; not null
     * @param subflows its subflows in the order in which they began; not null
     */
    public PlacedConnection(String id, PlacementTerms terms, Demand demand, List<PlacedSubflow> subflows) {
        this.id = Objects.requireNonNull(id, "id");
        this.terms = Objects.requireNonNull(terms, "terms");
        this.demand = Objects.requireNonNull(demand, "demand");
        this.subflows = List.copyOf(subflows);
    }

    /** Returns this connection with other subflows. */
    public PlacedConnection withSubflows(List<PlacedSubflow> newSubflows) {
        return new PlacedConnection(id, terms, demand, newSubflows);
    }

    /** Returns this connection with one subflow more at the end. */
    public PlacedConnection plus(PlacedSubflow added) {
        List<PlacedSubflow> more = new ArrayList<>(subflows);
        more.add(added);
        return withSubflows(more);
    }

    /** Returns this connection with another subflow at a place, from 0. */
    public PlacedConnection with(int index, PlacedSubflow replacement) {
        List<PlacedSubflow> changed = new ArrayList<>(subflows);
        changed.set(index, replacement);
        return withSubflows(changed);
    }

    /** Returns this connection with another demand. */
    public PlacedConnection withDemand(Demand newDemand) {
        return new PlacedConnection(id, terms, newDemand, subflows);
    }

    /** Returns the name. */
    public String id() {
        return id;
    }

    /** Returns the terms: strategy, JOIN policy, weight and cap. */
    public PlacementTerms terms() {
        return terms;
    }

    /** Returns its demand in each direction. */
    public Demand demand() {
        return demand;
    }

    /** Returns the subflows in the order in which they began. */
    public List<PlacedSubflow> subflows() {
        return subflows;
    }

    /** Returns the paths of the active subflows, in their order, each once. */
    public Set<Path> activePaths() {
        return subflows.stream().filter(PlacedSubflow::isActive).flatMap(subflow -> subflow.path().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns whether it has a path to share: the hosts of one switch need none. */
    public boolean isOnNetwork() {
        return subflows.stream().anyMatch(subflow -> subflow.isActive() && subflow.path().isPresent());
    }

    /** Returns the most that it may or wants to send in one direction, bit/s: its cap or its demand. */
    public double limit(boolean upwards) {
        return Math.min(terms.cap(), demand.of(upwards));
    }

    /** Returns how much the active paths are beyond the limits to delays: see {@code PathLimits.excess}. */
    public int excess() {
        return terms.limits().isNone() ? 0 : terms.limits().excess(new ArrayList<>(activePaths()));
    }

    /** Returns the sum of the subflows' expected throughputs, bit/s. */
    public Rates expected() {
        Rates sum = Rates.ZERO;
        for (PlacedSubflow subflow : subflows) {
            sum = sum.plus(subflow.expected());
        }
        return sum;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof PlacedConnection)) {
            return false;
        }
        PlacedConnection that = (PlacedConnection) other;
        return id.equals(that.id) && demand.equals(that.demand) && subflows.equals(that.subflows);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, subflows);
    }

    @Override
    public String toString() {
        return id + " " + subflows;
    }
}
