// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reoptimisation;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.search.BackgroundPlan;
import org.subflow.mptcp.placement.search.BetterPaths;
import org.subflow.mptcp.placement.search.PlanProgress;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.Translation;

/**
 * Searches moves to better paths on ONOS's network by the placement core: of one connection at once, and of all together by a
 * {@link BackgroundPlan}, which is computed off the control loop, on a copy of the network. A plan ends if the network is no
 * longer the one that it was computed for. Used by the control loop only, but for the computation of plans.
 */
public final class MoveSearch {
    private final NetworkModel model;
    private final SettingsService settings;
    private final Runnable trigger;
    private final BetterPaths betterPaths = new BetterPaths();
    private final AtomicReference<Question> question = new AtomicReference<>();
    private final AtomicReference<PlanProgress> answer = new AtomicReference<>();

    /** A network to plan for; immutable. */
    private static final class Question {
        private final NetworkState network;
        private final Settings settings;

        private Question(NetworkState network, Settings settings) {
            this.network = network;
            this.settings = settings;
        }
    }

    /**
     * Makes a search.
     *
     * @param settings say the allocator, the least gain and for how many connections to plan at most; not null
     * @param plans    makes a trigger of the task that computes a plan; it may run on another thread; not null
     */
    public MoveSearch(NetworkModel model, SettingsService settings, UnaryOperator<Runnable> plans) {
        this.model = checkNotNull(model, "model");
        this.settings = checkNotNull(settings, "settings");
        this.trigger = plans.apply(this::compute);
    }

    /**
     * Searches better paths for a connection.
     *
     * @param connection the connection
     * @param all        all connections on the network, this one included, with their expected throughputs
     * @return the connection on better paths; empty if there are none
     */
    Optional<Connection> better(Connection connection, List<Connection> all) {
        Translation now = model.now();
        Settings present = settings.settings();
        PlacedConnection before = now.placed(connection);
        return betterPaths.of(now.state(all).with(before), before.id(), present.get(Settings.ALLOCATOR),
                              present.get(Settings.REOPTIMISE_PERCENT))
                .map(after -> now.moved(connection, before, after));
    }

    /** Returns whether the settings allow a plan for so many connections. */
    boolean mayPlan(int connections) {
        return connections > 1 && connections <= settings.get(Settings.BACKGROUND_PLAN);
    }

    /** Asks for a plan. */
    void ask(List<Connection> all) {
        question.set(new Question(model.now().state(all), settings.settings()));
        trigger.run();
    }

    private void compute() {
        Question asked = question.get();
        if (asked != null) {
            BackgroundPlan plan = BackgroundPlan.of(asked.network, asked.settings.get(Settings.ALLOCATOR),
                                                    asked.settings.get(Settings.REOPTIMISE_PERCENT));
            answer(asked, new PlanProgress(asked.network, plan));
        }
    }

    /** Keeps a plan, unless the network has changed since it was asked for. */
    private synchronized void answer(Question asked, PlanProgress progress) {
        if (question.compareAndSet(asked, null)) {
            answer.set(progress);
        }
    }

    /** Forgets the present plan and the present question, also if the plan is being computed. */
    synchronized void drop() {
        question.set(null);
        answer.set(null);
    }

    /** Returns whether there may be another move. */
    boolean isUnderWay() {
        PlanProgress progress = answer.get();
        return progress != null && progress.isUnderWay();
    }

    /**
     * Returns the next move.
     *
     * @param all all connections on the network, with the moves so far made, and their expected throughputs
     * @return the connection on its new paths; empty if the plan has ended
     */
    Optional<Connection> next(List<Connection> all) {
        PlanProgress progress = answer.get();
        if (progress == null) {
            return Optional.empty();
        }
        Translation now = model.now();
        Optional<PlacedConnection> move = progress.next(now.state(all), settings.get(Settings.ALLOCATOR));
        return move.flatMap(after -> all.stream().filter(connection -> connection.id().value().equals(after.id())).findFirst()
                .map(connection -> now.moved(connection, now.placed(connection), after)));
    }
}
