// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.Objects;

/** Segments of a paused service that a switch does not copy. Immutable. */
final class UnseenSegments {

    private final Service service;
    private final Sender sender;
    private final int port;
    private final boolean synsAlone;

    /** Who sends segments of a service. */
    enum Sender { CLIENT, SERVER }

    /**
     * Names what one of the two sends.
     *
     * @param port the switch's port where it comes in
     * @param synsAlone whether it is segments with SYN alone, or all
     */
    UnseenSegments(Service service, Sender sender, int port, boolean synsAlone) {
        this.service = service;
        this.sender = sender;
        this.port = port;
        this.synsAlone = synsAlone;
    }

    Service service() {
        return service;
    }

    Sender sender() {
        return sender;
    }

    int port() {
        return port;
    }

    boolean isSynsAlone() {
        return synsAlone;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UnseenSegments && service.equals(((UnseenSegments) other).service)
                && sender == ((UnseenSegments) other).sender && port == ((UnseenSegments) other).port
                && synsAlone == ((UnseenSegments) other).synsAlone;
    }

    @Override
    public int hashCode() {
        return Objects.hash(service, sender, port, synsAlone);
    }

    @Override
    public String toString() {
        return service + " by the " + sender + " at port " + port + (synsAlone ? ", SYNs" : "");
    }
}
