// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.codec;

import org.projectfloodlight.openflow.types.TableId;
import org.subflow.mptcp.southbound.FirstTable;

/** ONOS's numbers of flow tables and the switch's: one more, because the switch's first table is the southbound's. */
final class TableNumbers {

    /** OFPTT_MAX: the last number that a table can have. */
    private static final int LAST = 0xfe;

    private static final int FIRST = FirstTable.NEXT.getValue();

    private TableNumbers() {
    }

    /**
     * {@return the switch's table that ONOS calls by this number}
     *
     * @throws UnsupportedRuleException if a switch has no such table
     */
    static TableId inSwitch(int onos) throws UnsupportedRuleException {
        if (onos < 0 || onos > LAST - FIRST) {
            throw new UnsupportedRuleException("no table " + onos + ", only 0 to " + (LAST - FIRST));
        }
        return TableId.of(onos + FIRST);
    }

    /**
     * {@return ONOS's number of a switch's table}
     *
     * @throws UnsupportedRuleException if it is the southbound's own table
     */
    static int inOnos(TableId table) throws UnsupportedRuleException {
        if (table.equals(FirstTable.ID)) {
            throw new UnsupportedRuleException("the switch's table 0 is none of ONOS's");
        }
        return table.getValue() - FIRST;
    }
}
