// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;

/**
 * Remembers SYNs until they are answered. So a busy port can be told from one that floods: answers come from another port. A
 * bounded table: a newer SYN may take the place of an older one, which then stays unanswered. Thread-safe.
 *
 * <p>A SYN through routers comes in at several ports, with the same five-tuple. Each of them is remembered, and the answer to the
 * last one is the first to come back.
 *
 * @param <T> to whom a SYN belongs
 */
final class AnsweredSyns<T> {

    /** How many SYNs are remembered at most. */
    static final int SLOTS = 1 << 15;

    /** To how many a SYN may belong at a time: it has passed one router less. */
    static final int MOST_OWNERS = 4;

    /** So that nobody outside knows which connections share a slot. */
    private final long seed = ThreadLocalRandom.current().nextLong();
    private final AtomicReferenceArray<Syn<T>> slots = new AtomicReferenceArray<>(SLOTS);

    private static final class Syn<T> {
        private final long hash;
        private final T owner;
        /** The same SYN before it passed the last router, null if it has passed none. */
        private final Syn<T> before;

        private Syn(long hash, T owner, Syn<T> before) {
            this.hash = hash;
            this.owner = owner;
            this.before = before;
        }

        /** {@return this chain without an owner, cut to a length; null if nothing is left} */
        private static <T> Syn<T> without(Syn<T> chain, T owner, int most) {
            if (chain == null || most == 0) {
                return null;
            }
            return chain.owner == owner ? without(chain.before, owner, most)
                    : new Syn<>(chain.hash, chain.owner, without(chain.before, owner, most - 1));
        }
    }

    /** Remembers a segment with SYN and without ACK. */
    void remember(TcpFrame syn, T owner) {
        long hash = syn.hash(seed, false);
        Syn<T> there = slots.get(slot(hash));
        Syn<T> before = there != null && there.hash == hash ? Syn.without(there, owner, MOST_OWNERS - 1) : null;
        slots.set(slot(hash), new Syn<>(hash, owner, before));
    }

    /**
     * Forgets the SYN that a SYN/ACK answers.
     *
     * @param answer a segment with SYN and ACK
     * @param mayBe whose SYNs it may answer: not those that came in where the answer does
     * @return to whom the SYN belongs; null if none is remembered, or another answer came before
     */
    T answered(TcpFrame answer, Predicate<T> mayBe) {
        long hash = answer.hash(seed, true);
        Syn<T> there = slots.get(slot(hash));
        for (Syn<T> syn = there != null && there.hash == hash ? there : null; syn != null; syn = syn.before) {
            if (mayBe.test(syn.owner)) {
                return slots.compareAndSet(slot(hash), there, Syn.without(there, syn.owner, MOST_OWNERS)) ? syn.owner : null;
            }
        }
        return null;
    }

    private static int slot(long hash) {
        return (int) (hash >>> 40) & (SLOTS - 1);
    }
}
