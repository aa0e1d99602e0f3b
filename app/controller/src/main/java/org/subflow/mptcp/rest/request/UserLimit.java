// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;

/** Bounds how much is under way at once, in all and for each user, so that one user leaves room for the others. Thread-safe. */
public final class UserLimit {
    private final int most;
    private final int mostOfAUser;
    private final Multiset<String> underWay = HashMultiset.create();

    /**
     * Makes a limit.
     *
     * @param most        how much may be under way
     * @param mostOfAUser how much of one user may be
     */
    public UserLimit(int most, int mostOfAUser) {
        this.most = most;
        this.mostOfAUser = mostOfAUser;
    }

    /**
     * Begins something, unless too much is under way.
     *
     * @param user the user's name; empty if unknown; not null
     * @return whether it may begin; then {@link #leave} must follow
     */
    public synchronized boolean enter(String user) {
        return underWay.size() < most && underWay.count(user) < mostOfAUser && underWay.add(user);
    }

    /** Ends something that has begun. */
    public synchronized void leave(String user) {
        underWay.remove(user);
    }
}
