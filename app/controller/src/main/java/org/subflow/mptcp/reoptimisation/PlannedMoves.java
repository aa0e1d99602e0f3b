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
import org.subflow.mptcp.placement.search.PlanProgress;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.Translation;

/**
 * Has {@link BackgroundPlan}s computed off the control loop, on a copy of the network, and hands out their moves. A plan ends
 * if the network is no longer the one that it was computed for. Used by the control loop only, but for the computation.
 */
public final class PlannedMoves {
    private final NetworkModel model;
    private final SettingsService settings;
    private final Runnable trigger;
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
     * Makes a desk for plans.
     *
     * @param model    the network; not null
     * @param settings say the allocator, the least gain and for how many connections to plan at most; not null
     * @param plans    makes a trigger of the task that computes a plan; it may run on another thread; not null
     */
    public PlannedMoves(NetworkModel model, SettingsService settings, UnaryOperator<Runnable> plans) {
        this.model = checkNotNull(model, "model");
        this.settings = checkNotNull(settings, "settings");
        this.trigger = plans.apply(this::compute);
    }

    /** Asks for a plan, if the settings allow one for so many connections. */
    void ask(List<Connection> all) {
        Settings now = settings.settings();
        if (all.size() > 1 && all.size() <= now.get(Settings.BACKGROUND_PLAN)) {
            question.set(new Question(model.now().state(all), now));
            trigger.run();
        }
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
