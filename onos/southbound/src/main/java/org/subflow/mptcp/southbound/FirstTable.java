// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound;

import org.projectfloodlight.openflow.types.TableId;

/**
 * The flow table that the southbound keeps for itself in every switch: the one that packets meet first. ONOS's tables
 * begin with the next one. The package {@link org.subflow.mptcp.southbound.tcpflags} says what it is for.
 */
public final class FirstTable {

    /** The southbound's own table. */
    public static final TableId ID = TableId.ZERO;

    /** The table that ONOS calls its table 0. */
    public static final TableId NEXT = TableId.of(1);

    /**
     * The cookie of the southbound's rules, but for the last byte: "subflow" in ASCII. As the rule of an ONOS application
     * it would belong to the application with the number 0x7375, and ONOS counts from 1.
     */
    public static final long COOKIE = 0x7375_6266_6c6f_7700L;

    private static final long LAST_BYTE = 0xff;

    private FirstTable() {
    }

    /** {@return whether a rule with this cookie is one of the southbound's own} */
    public static boolean isOwn(long cookie) {
        return (cookie & ~LAST_BYTE) == COOKIE;
    }
}
