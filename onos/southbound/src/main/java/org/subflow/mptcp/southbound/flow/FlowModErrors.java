// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;

/**
 * Finds out which rule an error message is about. A switch sends back at least the first 64 bytes of the message that
 * it refused (OpenFlow 1.3.5, section 7.4.4), too few for a parser but enough for the cookie.
 */
final class FlowModErrors {

    private static final int FLOW_MOD_TYPE = 14;
    private static final int HEADER_BYTES = 8;

    private FlowModErrors() {
    }

    /** {@return the cookie of the refused flow-mod, empty if something else was refused} */
    static OptionalLong cookie(OFErrorMsg error) {
        byte[] refused = error.getData().getData();
        if (refused.length < HEADER_BYTES + Long.BYTES || refused[1] != FLOW_MOD_TYPE) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(ByteBuffer.wrap(refused).getLong(HEADER_BYTES));
    }
}
