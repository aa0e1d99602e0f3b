// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.codec;

import java.util.EnumSet;
import java.util.Set;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.IndexTableId;
import org.onosproject.net.flow.TableId;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.U64;

/**
 * Flow rule to flow-mod. The cookie is the rule's id, all 64 bits of it. By the cookie the provider recognises the
 * rule in what a switch reports.
 *
 * <p>Idle time-outs stay with the ONOS core, which watches the counters: a switch that removed rules by itself would
 * only see them come back.
 */
public final class FlowModEncoder {

    private static final Set<OFFlowModFlags> REPORT_REMOVAL = EnumSet.of(OFFlowModFlags.SEND_FLOW_REM);

    private final OFFactory factory;
    private final TreatmentEncoder treatments;

    /** Makes an encoder for the version that a factory writes. */
    public FlowModEncoder(OFFactory factory) {
        this.factory = factory;
        this.treatments = new TreatmentEncoder(factory);
    }

    /**
     * {@return the message that adds a rule, or replaces the one with the same match and priority}
     *
     * @param xid transaction id, 32 bits of it
     * @throws UnsupportedRuleException if OpenFlow 1.3 cannot say what the rule says
     */
    public OFFlowMod add(FlowRule rule, long xid) throws UnsupportedRuleException {
        return fill(factory.buildFlowAdd(), rule, xid)
                .setHardTimeout(rule.hardTimeout())
                .setInstructions(treatments.encode(rule.treatment()))
                .build();
    }

    /**
     * {@return the message that changes the treatment of a rule that is there}
     *
     * @param xid transaction id, 32 bits of it
     * @throws UnsupportedRuleException if OpenFlow 1.3 cannot say what the rule says
     */
    public OFFlowMod modify(FlowRule rule, long xid) throws UnsupportedRuleException {
        return fill(factory.buildFlowModifyStrict(), rule, xid)
                .setInstructions(treatments.encode(rule.treatment()))
                .build();
    }

    /**
     * {@return the message that removes exactly this rule}
     *
     * @param xid transaction id, 32 bits of it
     * @throws UnsupportedRuleException if OpenFlow 1.3 cannot say what the rule matches
     */
    public OFFlowMod remove(FlowRule rule, long xid) throws UnsupportedRuleException {
        return fill(factory.buildFlowDeleteStrict(), rule, xid).build();
    }

    private OFFlowMod.Builder fill(OFFlowMod.Builder message, FlowRule rule, long xid)
            throws UnsupportedRuleException {
        return message.setXid(xid)
                .setCookie(U64.of(rule.id().value()))
                .setBufferId(OFBufferId.NO_BUFFER)
                .setMatch(MatchEncoder.encode(rule.selector(), factory))
                .setFlags(REPORT_REMOVAL)
                .setPriority(rule.priority())
                .setTableId(TableNumbers.inSwitch(number(rule.table())));
    }

    private static int number(TableId table) throws UnsupportedRuleException {
        if (table.type() != TableId.Type.INDEX) {
            throw new UnsupportedRuleException("OpenFlow's tables have numbers, not names as " + table);
        }
        return ((IndexTableId) table).id();
    }
}
