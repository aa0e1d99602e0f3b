// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.Optional;
import org.subflow.mptcp.southbound.FirstTable;

/** How segments come to a processor. */
enum Delivery {

    /** Copies of segments with SYN, FIN or RST, which the switch forwards as well. */
    COPIES(1),

    /** Segments with SYN and without ACK, which the switch does not forward. */
    DIVERTED_SYNS(2);

    private final long cookie;

    Delivery(int lastByte) {
        this.cookie = FirstTable.COOKIE | lastByte;
    }

    /** {@return the cookie of the rules that bring these segments} */
    long cookie() {
        return cookie;
    }

    /** {@return what a rule with this cookie brings, empty if it is another one} */
    static Optional<Delivery> ofCookie(long cookie) {
        for (Delivery delivery : values()) {
            if (delivery.cookie == cookie) {
                return Optional.of(delivery);
            }
        }
        return Optional.empty();
    }
}
