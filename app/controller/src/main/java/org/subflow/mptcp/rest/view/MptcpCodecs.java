// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import org.onosproject.codec.CodecService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.agent.AgentStatus;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.api.plan.ShareLimits;
import org.subflow.mptcp.api.policy.Policy;

/** Registers the JSON forms of our values with ONOS, for REST and for the Karaf commands. */
@Component(immediate = true)
public final class MptcpCodecs {
    @Reference
    private volatile CodecService codecs;

    @Activate
    void activate() {
        codecs.registerCodec(Connection.class, new ConnectionCodec());
        codecs.registerCodec(AgentStatus.class, new AgentStatusCodec());
        codecs.registerCodec(LinkUsage.class, new LinkUsageCodec());
        codecs.registerCodec(LifeEvent.class, new LifeEventCodec());
        codecs.registerCodec(Policy.class, new PolicyCodec());
        codecs.registerCodec(ShareLimits.class, new ShareLimitsCodec());
    }

    @Deactivate
    void deactivate() {
        codecs.unregisterCodec(Connection.class);
        codecs.unregisterCodec(AgentStatus.class);
        codecs.unregisterCodec(LinkUsage.class);
        codecs.unregisterCodec(LifeEvent.class);
        codecs.unregisterCodec(Policy.class);
        codecs.unregisterCodec(ShareLimits.class);
    }
}
