// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import java.io.IOException;
import java.security.Principal;
import java.util.Optional;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.SecurityContext;

/** Bounds how much is under way at once, in all and for each user, so that one user leaves room for the others. Thread-safe. */
public final class UserLimit {
    /** Questions that take a search, of all kinds together. */
    public static final UserLimit QUESTIONS = new UserLimit(8, 2);

    private static final int TOO_MANY_REQUESTS = 429;

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

    /** What answers a question. */
    @FunctionalInterface
    public interface Answer {
        /** Answers; throws what fails. */
        Response get() throws IOException;
    }

    /**
     * Answers a question, unless too much is under way.
     *
     * @param security who asks; null if nobody knows
     * @param answer   answers; not null
     * @return its answer; status 429 if too much is under way
     * @throws IOException if that does
     */
    public Response within(SecurityContext security, Answer answer) throws IOException {
        String user = Optional.ofNullable(security).map(SecurityContext::getUserPrincipal).map(Principal::getName).orElse("");
        if (!enter(user)) {
            return ErrorAnswers.of(TOO_MANY_REQUESTS, "other questions are being answered; ask again later");
        }
        try {
            return answer.get();
        } finally {
            leave(user);
        }
    }

    /** Ends something that has begun. */
    public synchronized void leave(String user) {
        underWay.remove(user);
    }
}
