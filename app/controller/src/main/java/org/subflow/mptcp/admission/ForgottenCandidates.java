// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.Consumer;
import org.subflow.mptcp.candidate.Candidate;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.loop.Urgency;
import org.subflow.mptcp.token.TokenTable;

/** Drops what is kept for a candidate that has ended or that the table had to give up. For the tracking. */
public final class ForgottenCandidates implements Consumer<Candidate> {
    private final ControlLoop loop;
    private final TokenTable tokens;
    private final UnmanagedTraffic unmanaged;
    private final Openings openings;

    public ForgottenCandidates(ControlLoop loop, TokenTable tokens, UnmanagedTraffic unmanaged, Openings openings) {
        this.loop = checkNotNull(loop, "loop");
        this.tokens = checkNotNull(tokens, "tokens");
        this.unmanaged = checkNotNull(unmanaged, "unmanaged");
        this.openings = checkNotNull(openings, "openings");
    }

    @Override
    public void accept(Candidate candidate) {
        candidate.keys().ifPresent(keys -> tokens.remove(candidate.first(), keys));
        unmanaged.ignoreAll(candidate.tuples());
        candidate.givenBack().ifPresent(id -> loop.execute(Urgency.EVENT, () -> openings.end(candidate, id)));
    }
}
