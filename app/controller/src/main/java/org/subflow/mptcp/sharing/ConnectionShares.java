// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.rate.FairShares;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.Translation;

/**
 * Computes the expected throughput of every subflow, so that all connections share the network fairly.
 *
 * <p>Shares of thousands of connections take seconds, in which links may fail. So a thread of its own computes them, and the control
 * loop goes on. It alone asks and applies answers, one question after the other.
 */
public final class ConnectionShares {
    private final NetworkModel model;
    private final SettingsService settings;
    private final Runnable computing;
    private final Runnable applying;
    private final FairShares shares = FairShares.inBoundedWork();
    private volatile Question asked;
    private volatile double error;

    /**
     * Makes a calculator. Each answer starts from the last one, so each kind of question has a calculator of its own.
     *
     * @param aside makes a trigger of the task that computes, on a thread of its own; not null
     * @param back  makes a trigger of the task that applies an answer, on the control loop; not null
     */
    public ConnectionShares(NetworkModel model, SettingsService settings, UnaryOperator<Runnable> aside, UnaryOperator<Runnable> back) {
        this.model = checkNotNull(model, "model");
        this.settings = checkNotNull(settings, "settings");
        computing = aside.apply(this::compute);
        applying = back.apply(this::applyIfDone);
    }

    /** Connections at one moment, and who wants their shares. */
    private final class Question {
        private final List<Connection> connections;
        private final Translation translation;
        private final NetworkState state;
        private final String allocator;
        private final Consumer<UnaryOperator<Connection>> then;
        private final Map<ConnectionId, Integer> places = new HashMap<>();
        private List<PlacedConnection> placed;
        private volatile boolean isDone;

        private Question(List<Connection> connections, Consumer<UnaryOperator<Connection>> then) {
            this.connections = connections;
            this.then = then;
            translation = model.now();
            state = translation.state(connections);
            allocator = settings.get(Settings.ALLOCATOR);
        }

        /** Computes once; whoever asks meanwhile waits. */
        private synchronized void answer() {
            if (placed != null) {
                return;
            }
            try {
                placed = shares.of(state, allocator);
                error = shares.epsilon();
                for (int i = 0; i < placed.size(); i++) {
                    places.put(connections.get(i).id(), i);
                }
            } finally {
                isDone = true;
            }
        }

        private Connection shared(Connection now) {
            Integer place = places.get(now.id());
            if (place == null) {
                return now;
            }
            Connection then = connections.get(place);
            return then == now ? translation.next(now, placed.get(place))
                    : haveSamePaths(then, now) ? Translation.shared(now, placed.get(place)) : now;
        }
    }

    private static boolean haveSamePaths(Connection one, Connection other) {
        List<Subflow> subflows = one.subflows();
        boolean areSame = subflows.size() == other.subflows().size();
        for (int i = 0; areSame && i < subflows.size(); i++) {
            Subflow subflow = subflows.get(i);
            Subflow now = other.subflows().get(i);
            areSame = subflow.tuple().equals(now.tuple()) && subflow.state() == now.state() && subflow.path().equals(now.path());
        }
        return areSame;
    }

    /**
     * Asks for the shares of all connections; to be called while nothing {@link #isAsked is asked}.
     *
     * @param connections the connections that are on the network; not null
     * @param then        is called on the control loop with what gives a connection, as it is then, its expected throughputs. One
     *                    that has come since, or whose paths have changed, stays as it is; so does one whose shares have not changed
     */
    public void ask(List<Connection> connections, Consumer<UnaryOperator<Connection>> then) {
        asked = new Question(connections, then);
        computing.run();
    }

    /** Returns whether a question waits for its answer. */
    public boolean isAsked() {
        return asked != null;
    }

    /** Applies the answer to what is asked, if anything is; waits for it. */
    public void settle() {
        Question question = asked;
        asked = null;
        if (question != null) {
            question.answer();
            question.then.accept(question::shared);
        }
    }

    /** Somebody who could not wait may have applied the answer, and asked again. */
    private void applyIfDone() {
        Question question = asked;
        if (question != null && question.isDone) {
            settle();
        }
    }

    private void compute() {
        Question question = asked;
        if (question != null) {
            try {
                question.answer();
            } finally {
                applying.run();
            }
        }
    }

    /**
     * Returns the largest relative error of the last shares, see {@link FairShares#epsilon}. It is not 0 only where exact ones take too
     * much work, or from rounding. Not a number if the allocator does not state it. Any thread may ask.
     */
    public double error() {
        return error;
    }
}
