// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onosproject.codec.CodecContext;
import org.onosproject.codec.JsonCodec;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.topology.Nets;

/** A link in REST and in the topology for the page. */
class LinkJsonTest {
    private static final LinkUsage USAGE = new LinkUsage(Nets.link(1, 2), Nets.capacity(10e6), 4e6, 7.5e6, 3e6, 2);

    private final ObjectMapper mapper = new ObjectMapper();

    @Test
    void theCommandsAndRestHaveItInMegabits() {
        ObjectNode node = new LinkUsageCodec().encode(USAGE, new Mapping());
        assertEquals("{\"source\":\"of:1/2\",\"target\":\"of:2/1\",\"sourceName\":\"s1/2\",\"targetName\":\"s2/1\",\"state\":\"up\",\"capacityMbps\":10.0,"
                             + "\"capacitySource\":\"portSpeed\",\"delayMillis\":null,\"reservedMbps\":4.0,"
                             + "\"measuredMbps\":7.5,\"othersMbps\":3.0,\"subflows\":2,\"srlg\":[]}", node.toString());
    }

    @Test
    void thePageHasTheSame() {
        assertEquals(new LinkUsageCodec().encode(USAGE, new Mapping()), new Json(mapper).links(List.of(USAGE), NameService.UNSTATED).get(0));
    }

    /** A context that has nothing but a mapper and names. */
    private final class Mapping implements CodecContext {
        @Override
        public ObjectMapper mapper() {
            return mapper;
        }

        @Override
        public <T> JsonCodec<T> codec(Class<T> entityClass) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T getService(Class<T> serviceClass) {
            return serviceClass.cast(NameService.UNSTATED);
        }
    }
}
