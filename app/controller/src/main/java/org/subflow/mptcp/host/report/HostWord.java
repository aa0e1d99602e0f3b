// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import java.util.OptionalDouble;

/** What the hosts of a connection say of their demand now, bit/s on the wire. Immutable. */
public final class HostWord {
    /** The client's demand, infinite if it has no limit; empty if the client does not say. */
    public final OptionalDouble up;
    /** The server's demand, infinite if it has no limit; empty if the server does not say. */
    public final OptionalDouble down;

    public HostWord(OptionalDouble up, OptionalDouble down) {
        this.up = up;
        this.down = down;
    }
}
