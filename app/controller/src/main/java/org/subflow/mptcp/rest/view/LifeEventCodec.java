// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.onosproject.codec.CodecContext;
import org.onosproject.codec.JsonCodec;
import org.subflow.mptcp.api.monitoring.LifeEvent;

/** An event in the life of a connection as JSON. */
public final class LifeEventCodec extends JsonCodec<LifeEvent> {
    @Override
    public ObjectNode encode(LifeEvent event, CodecContext context) {
        return new Json(context.mapper()).event(event);
    }
}
