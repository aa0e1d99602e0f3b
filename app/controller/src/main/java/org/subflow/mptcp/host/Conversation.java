// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import java.util.List;
import java.util.function.Consumer;

/** The answers to one agent: the newest one, and the request that waits for the next. Not thread-safe. */
final class Conversation {
    /** Its newest answer; null before the first. */
    Answer answer;
    /** Its waiting request; null if none waits. */
    Waiting waiting;
    /** When it was last answered, milliseconds; long ago before the first time. */
    long answeredMillis = Long.MIN_VALUE / 2;

    /** A request that waits. */
    static final class Waiting {
        final long since;
        final Consumer<Answer> reply;
        Runnable cancel = () -> { };

        Waiting(long since, Consumer<Answer> reply) {
            this.since = since;
            this.reply = reply;
        }
    }

    /** Takes the waiting request out; null if none waits. */
    Waiting take() {
        Waiting taken = waiting;
        waiting = null;
        if (taken != null) {
            taken.cancel.run();
        }
        return taken;
    }

    /**
     * Takes a new content over.
     *
     * @param managesPaths whether the agent shall manage paths
     * @param content      what the agent is to know
     * @param nextRevision the number of the answer if the content is new
     */
    void update(boolean managesPaths, List<Answer.ToldConnection> content, long nextRevision) {
        if (answer == null || answer.managesPaths != managesPaths || !answer.connections.equals(content)) {
            answer = new Answer(answer == null ? nextRevision : answer.revision + 1, managesPaths, content);
        }
    }
}
