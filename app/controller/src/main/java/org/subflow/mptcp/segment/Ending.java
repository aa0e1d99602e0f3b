// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

/** Which hosts have ended a TCP connection: each by its FIN, or both by an RST of either (RFC 9293 section 3.6). */
public final class Ending {
    private boolean bySource;
    private boolean byDestination;

    /**
     * Notes a FIN or RST.
     *
     * @param fromSource whether the sender of the SYN has sent it
     * @param reset      whether it is an RST
     */
    public void note(boolean fromSource, boolean reset) {
        bySource |= fromSource || reset;
        byDestination |= !fromSource || reset;
    }

    /** Returns whether the sender of the SYN has ended it. */
    public boolean isBySource() {
        return bySource;
    }

    /** Returns whether the other host has ended it. */
    public boolean isByDestination() {
        return byDestination;
    }

    /** Returns whether one host at least has ended it. */
    public boolean isBegun() {
        return bySource || byDestination;
    }

    /** Returns whether both hosts have ended it; a half-closed connection goes on. */
    public boolean isComplete() {
        return bySource && byDestination;
    }
}
