// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers agents: at once if they do not have the newest, else as soon as something changes. No thread waits meanwhile.
 *
 * <p>The first change of a host's rates is told at once. Further ones wait for a pause, which grows with the number of agents:
 * shares may change for all hosts twenty times a second. Answers are made on {@link Later}'s thread or that of the request,
 * never on the thread that changes connections. Thread-safe.
 */
final class Exchange {
    /** The longest time that a request waits, milliseconds. */
    static final long MOST_WAIT_MILLIS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final long PAUSE_MILLIS = 50;
    private static final int AGENTS_A_MILLI = 2;

    private final Function<Agent, List<Answer.ToldConnection>> contents;
    private final Later later;
    private final LongSupplier clockMillis;
    private final IntSupplier agents;
    private final BooleanSupplier managesPaths;
    private final Queue<Agent> changed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isLooking = new AtomicBoolean();

    /**
     * Makes an exchange.
     *
     * @param contents     makes what an agent is to know, on any thread; not null
     * @param later        runs tasks at their time; not null
     * @param clockMillis  a clock without steps, milliseconds; not null
     * @param agents       the number of agents; not null
     * @param managesPaths whether agents shall manage paths; not null
     */
    Exchange(Function<Agent, List<Answer.ToldConnection>> contents, Later later, LongSupplier clockMillis,
             IntSupplier agents, BooleanSupplier managesPaths) {
        this.contents = checkNotNull(contents, "contents");
        this.later = checkNotNull(later, "later");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
        this.agents = checkNotNull(agents, "agents");
        this.managesPaths = checkNotNull(managesPaths, "managesPaths");
    }

    /**
     * Answers a request, now or later. A request of the same agent that waits still is answered first.
     *
     * @param agent      who asks; not null
     * @param since      the revision that the agent has; empty if it has none
     * @param waitMillis how long the answer may wait for a change, milliseconds
     * @param reply      takes the answer, on any thread; not null
     */
    void ask(Agent agent, OptionalLong since, long waitMillis, Consumer<Answer> reply) {
        Conversation.Waiting before;
        Answer answer;
        boolean isAnswered;
        synchronized (agent) {
            Conversation of = agent.conversation;
            before = of.take();
            refresh(agent);
            answer = of.answer;
            long now = clockMillis.getAsLong();
            long wait = Math.min(waitMillis, MOST_WAIT_MILLIS);
            boolean isNews = !since.isPresent() || since.getAsLong() != answer.revision;
            if (isNews) {
                wait = since.isPresent() ? Math.min(wait, of.answeredMillis + pause() - now) : 0;
            }
            isAnswered = wait <= 0;
            if (isAnswered) {
                of.answeredMillis = now;
            } else {
                Conversation.Waiting waiting = new Conversation.Waiting(since.getAsLong(), reply);
                of.waiting = waiting;
                waiting.cancel = later.after(wait, () -> end(agent, waiting));
            }
        }
        if (before != null) {
            send(before.reply, answer);
        }
        if (isAnswered) {
            send(reply, answer);
        }
    }

    /** Notes that something may have changed for an agent. Takes no lock and does no work, so that any thread may call it. */
    void changed(Agent agent) {
        if (agent.isStale.compareAndSet(false, true)) {
            changed.add(agent);
            if (isLooking.compareAndSet(false, true)) {
                later.after(0, this::look);
            }
        }
    }

    /** Ends the waiting request of an agent with what is known. */
    void dismiss(Agent agent) {
        Conversation.Waiting waiting;
        Answer answer;
        synchronized (agent) {
            waiting = agent.conversation.take();
            answer = agent.conversation.answer;
        }
        if (waiting != null) {
            send(waiting.reply, answer);
        }
    }

    private void look() {
        isLooking.set(false);
        for (Agent agent = changed.poll(); agent != null; agent = changed.poll()) {
            tell(agent);
        }
    }

    /** Answers the waiting request of an agent if there is news and the pause is over. */
    private void tell(Agent agent) {
        Conversation.Waiting told = null;
        Answer answer = null;
        synchronized (agent) {
            Conversation of = agent.conversation;
            if (of.waiting == null) {
                return;
            }
            long now = clockMillis.getAsLong();
            long rest = of.answeredMillis + pause() - now;
            if (rest > 0) {
                later.after(rest, () -> tell(agent));
                return;
            }
            refresh(agent);
            if (of.answer.revision != of.waiting.since) {
                told = of.take();
                answer = of.answer;
                of.answeredMillis = now;
            }
        }
        if (told != null) {
            send(told.reply, answer);
        }
    }

    /** Answers a request whose time is over. */
    private void end(Agent agent, Conversation.Waiting waiting) {
        Answer answer;
        synchronized (agent) {
            if (agent.conversation.waiting != waiting) {
                return;
            }
            agent.conversation.take();
            refresh(agent);
            answer = agent.conversation.answer;
            agent.conversation.answeredMillis = clockMillis.getAsLong();
        }
        send(waiting.reply, answer);
    }

    /** Makes the answer anew if something may have changed. A change that comes meanwhile makes it stale again. */
    private void refresh(Agent agent) {
        if (agent.isStale.getAndSet(false)) {
            // The clock: an agent that has an answer of an earlier run of the application must not take this for the same.
            agent.conversation.update(managesPaths.getAsBoolean(), contents.apply(agent), clockMillis.getAsLong());
        }
    }

    private long pause() {
        return PAUSE_MILLIS + agents.getAsInt() / AGENTS_A_MILLI;
    }

    private static void send(Consumer<Answer> reply, Answer answer) {
        try {
            reply.accept(answer);
        } catch (RuntimeException e) {
            LOG.debug("An agent has gone before its answer came", e);
        }
    }
}
