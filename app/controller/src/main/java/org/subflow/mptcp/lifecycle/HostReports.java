// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.admission.JoinAdmission;
import org.subflow.mptcp.admission.Priorities;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.host.ReportReception;
import org.subflow.mptcp.host.report.HostWord;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.store.ConnectionStore;

/** Applies what hosts' agents have reported meanwhile: demands, ends, and subflows that nobody here knows. Used by the control loop only. */
public final class HostReports {
    private static final Logger LOG = LoggerFactory.getLogger(HostReports.class);

    private final ReportReception reports;
    private final ConnectionStore store;
    private final Demands demands;
    private final Provisioner provisioner;
    private final EndedConnections closing;
    private final JoinAdmission joins;
    private final Priorities priorities;
    private final Predicate<FiveTuple> isOwn;

    /**
     * Makes it. {@code isOwn} tells whether a five-tuple's source address is one of its source host's own, as ONOS knows; the other
     * parameters are what it acts on.
     */
    public HostReports(ReportReception reports, ConnectionStore store, Demands demands, Provisioner provisioner,
                       EndedConnections closing, JoinAdmission joins, Predicate<FiveTuple> isOwn) {
        this.reports = checkNotNull(reports, "reports");
        this.store = checkNotNull(store, "store");
        this.demands = checkNotNull(demands, "demands");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.closing = checkNotNull(closing, "closing");
        this.joins = checkNotNull(joins, "joins");
        this.isOwn = checkNotNull(isOwn, "isOwn");
        this.priorities = new Priorities(store, provisioner);
    }

    /** Applies all reports that wait. */
    public void apply() {
        store.checkThread();
        OneByOne.run(this::end, "ends by hosts' word");
        OneByOne.run(this::takeDemands, "demands by hosts' word");
        OneByOne.run(this::join, "subflows by hosts' word");
        OneByOne.run(this::prioritise, "backups by hosts' word");
    }

    /** Where the client's agent manages paths, the priorities are those that it was told. */
    private void prioritise() {
        reports.takePriorities().forEach((id, backups) -> {
            if (!reports.view(id, Direction.UP).filter(view -> view.isAddable).isPresent()) {
                priorities.change(id, backups);
            }
        });
    }

    private void join() {
        reports.takeUnknown().forEach((id, tuples) -> OneByOne.forEach(tuples, reported -> {
            Optional<FiveTuple> tuple = joins.withHosts(reported).filter(one -> isOfOtherHost(id, one));
            if (tuple.isPresent() && joins.joined(id, new Join(tuple.get(), Direction.UP, false))) {
                LOG.info("Connection {} has a subflow {} of which its client's agent tells; it gets a path", id, reported);
            }
        }));
    }

    /**
     * Returns whether a subflow of a connection's client goes to an address of the connection's other host. The client's word
     * alone makes no paths to whom it likes.
     */
    private boolean isOfOtherHost(ConnectionId id, FiveTuple tuple) {
        return store.get(id).filter(connection -> connection.subflows().stream()
                .map(subflow -> subflow.fromClient() ? subflow.tuple() : subflow.tuple().reversed())
                .anyMatch(known -> known.destination().equals(tuple.destination())
                        || known.destinationHost().equals(tuple.destinationHost()) && isOwn.test(tuple.reversed()))).isPresent();
    }

    private void end() {
        List<Connection> ended = new ArrayList<>();
        reports.takeEnded().forEach(id -> store.get(id).ifPresent(ended::add));
        closing.close(ended, Cause.REPORTED);
    }

    private void takeDemands() {
        List<ConnectionId> moved = new ArrayList<>();
        OneByOne.forEach(List.copyOf(reports.takeNews()), id -> {
            HostWord word = reports.word(id);
            if (store.get(id).isPresent() && demands.report(id, word.up, word.down)) {
                moved.add(id);
            }
        });
        if (!moved.isEmpty()) {
            provisioner.requestShare();
        }
    }
}
