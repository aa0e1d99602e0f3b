// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;
import static org.onlab.util.Tools.groupedThreads;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.onosproject.cluster.Leadership;
import org.onosproject.cluster.LeadershipEventListener;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The election among the nodes of a cluster, by ONOS's leadership service. Design: see the package. */
public final class LeaderElection implements Election {
    /** The topic of the leadership. */
    static final String TOPIC = "org.subflow.mptcp";

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);
    private static final long LOOK_MILLIS = 500;
    /** A busy machine may need that long; shorter than the lease, or one lost answer would cost the mandate. */
    private static final long ANSWER_MILLIS = 2000;
    /** A node that leads and could not begin to decide for so long lets another one lead. */
    static final long VAIN_MILLIS = 10_000;

    private final LeadershipService leaderships;
    private final NodeId local;
    private final LongUnaryOperator terms;
    private final LongSupplier clockMillis;
    private final LeadershipEventListener listener = event -> lookSoon();
    /** Null before {@link #start}. */
    private AnswerDeadline stores;
    private ScheduledExecutorService executor;
    private ScheduledExecutorService confirmer;
    private Office office;
    private volatile NodeId leader;
    private volatile long knownMillis;
    private volatile Mandate mandate;
    /** The term that this node has stored last; 0 before the first one. */
    private long claimedTerm;
    /** From when on nobody else can have a mandate of an earlier term. */
    private long freeMillis;
    /** Since when this node leads without deciding; 0 if it does not. */
    private long vainMillis;

    /**
     * Makes a candidate; nothing happens before {@link #start}.
     *
     * @param leaderships ONOS's leadership service; not null
     * @param local       this node; not null
     * @param terms       stores a term with the storage nodes if it is greater than the stored one, and returns the stored one;
     *                    throws a RuntimeException if they do not answer; not null
     * @param clockMillis a monotonic clock, milliseconds; not null
     */
    public LeaderElection(LeadershipService leaderships, NodeId local, LongUnaryOperator terms, LongSupplier clockMillis) {
        this.leaderships = checkNotNull(leaderships, "leaderships");
        this.local = checkNotNull(local, "local");
        this.terms = checkNotNull(terms, "terms");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a look catches what goes wrong
    public void start(Office chosen) {
        stand(chosen);
        stores = new AnswerDeadline(ANSWER_MILLIS);
        executor = Executors.newSingleThreadScheduledExecutor(groupedThreads("onos/mptcp", "election", LOG));
        confirmer = Executors.newSingleThreadScheduledExecutor(groupedThreads("onos/mptcp", "confirmer", LOG));
        leaderships.addListener(listener);
        executor.scheduleWithFixedDelay(this::lookSafely, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Names the office; the next look may begin it. */
    void stand(Office chosen) {
        office = checkNotNull(chosen, "office");
    }

    private void lookSoon() {
        try {
            executor.execute(this::lookSafely);
        } catch (RejectedExecutionException e) {
            LOG.debug("The election has ended");
        }
    }

    private void lookSafely() {
        try {
            look();
        } catch (RuntimeException e) {
            // The next look is due in half a second, and the mandate lapses by itself.
            LOG.debug("The storage nodes do not answer", e);
        }
    }

    /** Looks once who leads, and acts on it. */
    void look() {
        long now = clockMillis.getAsLong();
        Leadership current = ask(() -> leaderships.getLeadership(TOPIC));
        if (current == null || !current.candidates().contains(local)) {
            current = ask(() -> leaderships.runForLeadership(TOPIC));
        }
        NodeId found = current == null ? null : current.leaderNodeId();
        boolean isOurs = local.equals(found);
        long term = isOurs ? current.leader().term() : 0;
        // The other nodes ask as well: they are to know when the storage nodes do not answer.
        boolean isNewest = isOurs ? claim(term) : stored(0) < 0;
        knownMillis = clockMillis.getAsLong();
        if (mandate != null && !(isNewest && mandate.term() == term && mandate.confirm(now))) {
            end();
        }
        if (isNewest && mandate == null && clockMillis.getAsLong() >= freeMillis) {
            begin(term);
        }
        giveUpInVain(isOurs, term);
        // Until it has begun, nobody decides.
        leader = isOurs && mandate == null ? null : found;
    }

    private <T> T ask(Supplier<T> question) {
        return stores == null ? question.get() : stores.ask(question);
    }

    private long stored(long term) {
        return ask(() -> terms.applyAsLong(term));
    }

    /**
     * Stores a term, and returns whether it is the greatest. The leader before may be cut off from this node, and cannot confirm
     * its own term any more once this one is stored. So its mandate has lapsed when the lease has gone by from then on. If this
     * node has stored the term before as well, the mandate was its own, and has ended.
     */
    private boolean claim(long term) {
        if (term == claimedTerm) {
            return stored(term) <= term;
        }
        long before = stored(0);
        boolean isGreatest = stored(term) <= term;
        if (before == 0) {
            freeMillis = 0;
        } else if (before != claimedTerm) {
            freeMillis = clockMillis.getAsLong() + Mandate.LEASE_MILLIS;
        }
        claimedTerm = term;
        return isGreatest;
    }

    /**
     * Stands for election anew if this node leads, and yet cannot decide: its stores fail, or ONOS's leadership service tells it
     * an old term, as happens after the loss of the storage nodes.
     */
    private void giveUpInVain(boolean isOurs, long term) {
        if (!isOurs || mandate != null) {
            vainMillis = 0;
        } else if (vainMillis == 0) {
            vainMillis = clockMillis.getAsLong();
        } else if (clockMillis.getAsLong() - vainMillis >= VAIN_MILLIS) {
            LOG.warn("This node leads in term {} and could not decide for {} ms; it stands for election anew", term, VAIN_MILLIS);
            vainMillis = 0;
            leaderships.withdraw(TOPIC);
        }
    }

    private void begin(long term) {
        Mandate next = new Mandate(term, clockMillis);
        Future<?> confirmations = keepConfirmed(next);
        try {
            office.begin(next);
        } catch (RuntimeException e) {
            LOG.warn("This node cannot begin to decide about MPTCP connections in term {}; it tries again", term, e);
            return;
        } finally {
            confirmations.cancel(false);
        }
        mandate = next;
        LOG.info("This node decides about MPTCP connections from now on, in term {}", term);
    }

    /** Confirms a mandate while its beginning lasts: on a busy machine, ONOS's stores take longer than the lease to be read. */
    private Future<?> keepConfirmed(Mandate next) {
        if (confirmer == null) {
            return CompletableFuture.completedFuture(null);
        }
        return confirmer.scheduleWithFixedDelay(() -> {
            long asked = clockMillis.getAsLong();
            try {
                if (stored(0) <= next.term()) {
                    next.confirm(asked);
                }
            } catch (RuntimeException e) {
                LOG.debug("The storage nodes do not answer", e);
            }
        }, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void end() {
        LOG.info("This node does not decide about MPTCP connections any more, as it did in term {}", mandate.term());
        mandate.revoke();
        mandate = null;
        office.end();
    }

    @Override
    public void stop() {
        leaderships.removeListener(listener);
        executor.shutdownNow();
        confirmer.shutdownNow();
        stores.stop();
        try {
            if (!executor.awaitTermination(LOOK_MILLIS * 10, TimeUnit.MILLISECONDS)) {
                LOG.warn("The election is still under way");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        leaderships.withdraw(TOPIC);
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public boolean isStorageThere() {
        return clockMillis.getAsLong() - knownMillis <= Mandate.LEASE_MILLIS;
    }

    @Override
    public Optional<String> leader() {
        Mandate ours = mandate;
        if (ours != null) {
            return ours.isValid() ? Optional.of(local.toString()) : Optional.empty();
        }
        NodeId found = leader;
        return found != null && isStorageThere() ? Optional.of(found.toString()) : Optional.empty();
    }
}
