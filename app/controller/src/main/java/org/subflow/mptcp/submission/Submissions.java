// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.intent.Key;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.SubflowRoute;
import org.subflow.mptcp.rules.TupleMatch;
import org.subflow.mptcp.rules.WantedRules;

/**
 * The {@link Submission} of each connection, which waits until the rules that it shares with others are in the switches. So no
 * packet comes to a switch that does not know its label. One whose paths have not come for a whole sweep gets exact rules. It also
 * waits until ONOS has removed the rules of an earlier submission, for a whole sweep at most.
 *
 * <p>One thread changes submissions; any thread looks one up.
 */
final class Submissions {
    private final SharedPaths paths;
    private final Supplier<PathLabels> labels;
    private final Map<ConnectionId, Submission> byConnection = new ConcurrentHashMap<>();

    /** Makes it with no submission; {@code paths} are those that subflows share, and {@code labels} is the setting as it is now. */
    Submissions(SharedPaths paths, Supplier<PathLabels> labels) {
        this.labels = checkNotNull(labels, "labels");
        this.paths = checkNotNull(paths, "paths");
    }

    /** Returns the submission of a connection; a new one if there is none. */
    Submission of(ConnectionId connection) {
        return byConnection.computeIfAbsent(connection, Submission::new);
    }

    /** Returns the submission of a connection, also one that is withdrawn. */
    Optional<Submission> get(ConnectionId connection) {
        return Optional.ofNullable(byConnection.get(connection));
    }

    /** Returns all, also those that are withdrawn; a view. */
    Collection<Submission> all() {
        return byConnection.values();
    }

    /**
     * Returns a route of a connection that is about to be submitted, with labels if the connection is to have some. With {@link
     * PathLabels#AUTO} it keeps what it began with: after a failure, one with exact rules gets exact rules at once, and does not wait
     * for those of new paths with labels.
     */
    SubflowRoute labelled(ConnectionId connection, SubflowRoute route) {
        Submission submission = of(connection);
        PathLabels now = labels.get();
        boolean use = submission.labels().filter(before -> now == PathLabels.AUTO)
                .orElseGet(() -> now.areUsed(byConnection.size() - 1));
        submission.setLabels(use);
        return use ? route.labelled() : route;
    }

    /**
     * Takes a request in place of the connection's last one; returns whether ONOS may get it: its paths are ready, and ONOS is not
     * removing the rules of an earlier one.
     */
    boolean submit(MptcpIntent intent) {
        MptcpIntent admitted = intent.withLabels(paths::admits);
        of(intent.connection).submit(admitted);
        paths.need(admitted.paths());
        return !of(intent.connection).isLeaving() && admitted.paths().stream().allMatch(paths::isReady);
    }

    /** Looks at all that wait; returns those whose paths are ready now. */
    List<Submission> look() {
        return all().stream().filter(one -> one.isWaiting() && submit(one.newest())).collect(Collectors.toList());
    }

    /** Ends the waits that have lasted for a whole sweep; returns those that ONOS may get now. */
    List<Submission> sweep() {
        List<Submission> old = all().stream().filter(one -> one.isWaiting() && one.isOld()).collect(Collectors.toList());
        old.forEach(one -> {
            one.endRemoval();
            one.submit(one.newest().withLabels(paths::isReady));
        });
        return old;
    }

    /**
     * Returns the rules of the requests that are installed. While one is not, all rules of its subflows may be part of the change.
     * Once it is, those of earlier requests go; {@link org.subflow.mptcp.intent.SubflowPathInstaller} leaves some for packets on
     * their way.
     *
     * @param isInstalled whether the newest request of a connection is installed; not null
     * @param rules       the rules that ONOS has made of the intent with a key; not null
     */
    WantedRules wantedRules(Predicate<Submission> isInstalled, Function<Key, Stream<FlowRule>> rules) {
        List<FlowRule> installed = new ArrayList<>();
        Set<FiveTuple> changing = new HashSet<>();
        all().forEach(one -> one.wanted().ifPresent(request -> {
            int before = installed.size();
            if (isInstalled.test(one)) {
                rules.apply(request.key()).forEach(installed::add);
            }
            if (installed.size() == before) {
                request.routes.forEach(route -> Collections.addAll(changing, route.tuple, route.tuple.reversed()));
            }
        }));
        return new WantedRules(installed.stream(),
                               rule -> TupleMatch.tuple(rule.selector()).filter(changing::contains).isPresent());
    }

    /** Forgets a connection, of which ONOS has no intent any more. */
    void forget(ConnectionId connection) {
        byConnection.remove(connection);
    }
}
