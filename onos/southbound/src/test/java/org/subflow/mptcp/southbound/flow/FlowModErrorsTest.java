// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowModFailedCode;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFErrorCauseData;
import org.projectfloodlight.openflow.types.U64;

class FlowModErrorsTest {

    private static final OFFactory FACTORY = OFFactories.getFactory(OFVersion.OF_13);
    private static final int BYTES_SENT_BACK = 64;

    @Test
    void cookieOfTheRefusedRuleIsFound() {
        OFMessage refused = FACTORY.buildFlowAdd().setCookie(U64.of(0x8000_0000_0000_0001L)).build();
        assertEquals(OptionalLong.of(0x8000_0000_0000_0001L),
                FlowModErrors.cookie(error(Arrays.copyOf(bytes(refused), BYTES_SENT_BACK))));
    }

    @Test
    void otherMessagesHaveNone() {
        OFMessage refused = FACTORY.buildPortMod().build();
        assertEquals(OptionalLong.empty(), FlowModErrors.cookie(error(bytes(refused))));
    }

    @Test
    void tooFewBytesHaveNone() {
        OFMessage refused = FACTORY.buildFlowAdd().setCookie(U64.of(5)).build();
        for (int length = 0; length < 16; length++) {
            assertEquals(OptionalLong.empty(), FlowModErrors.cookie(error(Arrays.copyOf(bytes(refused), length))));
        }
    }

    private static OFErrorMsg error(byte[] refused) {
        return FACTORY.errorMsgs().buildFlowModFailedErrorMsg()
                .setCode(OFFlowModFailedCode.TABLE_FULL)
                .setData(OFErrorCauseData.of(refused, OFVersion.OF_13))
                .build();
    }

    private static byte[] bytes(OFMessage message) {
        ByteBuf wire = Unpooled.buffer();
        message.writeTo(wire);
        byte[] bytes = new byte[wire.readableBytes()];
        wire.readBytes(bytes);
        return bytes;
    }
}
