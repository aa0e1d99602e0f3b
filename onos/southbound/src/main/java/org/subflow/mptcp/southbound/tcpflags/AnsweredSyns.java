// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;

/**
 * Remembers SYNs until they are answered. So a busy port can be told from one that floods: answers come from another port. A
 * bounded table without chains: a newer SYN may take the place of an older one, which then stays unanswered. Thread-safe.
 *
 * @param <T> to whom a SYN belongs
 */
final class AnsweredSyns<T> {

    /** How many SYNs are remembered at most. */
    static final int SLOTS = 1 << 15;

    /** So that nobody outside knows which connections share a slot. */
    private final long seed = ThreadLocalRandom.current().nextLong();
    private final AtomicReferenceArray<Syn<T>> slots = new AtomicReferenceArray<>(SLOTS);

    private static final class Syn<T> {
        private final long hash;
        private final T owner;

        private Syn(long hash, T owner) {
            this.hash = hash;
            this.owner = owner;
        }
    }

    /** Remembers a segment with SYN and without ACK. */
    void remember(TcpFrame syn, T owner) {
        long hash = syn.hash(seed, false);
        slots.set(slot(hash), new Syn<>(hash, owner));
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
        Syn<T> syn = slots.get(slot(hash));
        boolean isTaken = syn != null && syn.hash == hash && mayBe.test(syn.owner) && slots.compareAndSet(slot(hash), syn, null);
        return isTaken ? syn.owner : null;
    }

    private static int slot(long hash) {
        return (int) (hash >>> 40) & (SLOTS - 1);
    }
}
