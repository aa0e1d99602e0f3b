// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.LongSupplier;
import org.onlab.osgi.ServiceDirectory;
import org.onosproject.codec.CodecContext;
import org.onosproject.codec.JsonCodec;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.host.HostService;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.EndedConnection;
import org.subflow.mptcp.api.monitoring.FailureService;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.plan.NetworkBoundService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.loop.SteadyClock;
import org.subflow.mptcp.topology.NetworkView;

/** The state of network and connections as the page sees it, written from ONOS's and our services. Thread-safe. */
public final class Views implements CodecContext {
    private final ServiceDirectory services;
    private final LongSupplier clock;
    private final ObjectMapper mapper = new ObjectMapper();
    private final Json json = new Json(mapper);
    private final ConnectionCodec connectionCodec = new ConnectionCodec();

    public Views(ServiceDirectory services) {
        this(services, SteadyClock.SYSTEM::epochMillis);
    }

    /**
     * Makes views.
     *
     * @param services where ONOS's and our services are; not null
     * @param clock    tells the milliseconds of the Unix epoch; not null
     */
    public Views(ServiceDirectory services, LongSupplier clock) {
        this.services = services;
        this.clock = clock;
    }

    /** Writes the network with the usage of its links. */
    public ObjectNode topology() {
        return json.topology(getService(NetworkView.class).snapshot().devices(), getService(HostService.class).getHosts(),
                             getService(MptcpService.class).links(), getService(FailureService.class),
                             getService(NameService.class), getService(DeviceService.class));
    }

    /** Writes all settings in force, what they take and mean, the application's version and the milliseconds of the Unix epoch. */
    public ObjectNode settings() {
        return settings(getService(SettingsService.class).settings());
    }

    /** Does so with these settings. */
    public ObjectNode settings(Settings settings) {
        ObjectNode node = json.settings(settings).put("version", version()).put("millis", clock.getAsLong());
        Settings.ALL.forEach(setting -> Json.put(node, setting, settings.get(setting)));
        node.set("descriptions", json.descriptions());
        return node;
    }

    /** Writes everything at once: what a page needs to begin with. */
    public ObjectNode everything() {
        ObjectNode node = mapper.createObjectNode()
                .put("version", version())
                .put("millis", clock.getAsLong());
        node.set("settings", json.settings(getService(SettingsService.class).settings()));
        node.set("topology", topology());
        node.set("bound", json.bound(getService(NetworkBoundService.class).bound()));
        node.set("connections", connectionCodec.encode(getService(MptcpService.class).connections(), this));
        ObjectNode counters = node.putObject("counters");
        getService(MptcpService.class).counters().forEach(counters::put);
        return node;
    }

    /** Writes connections that have ended. */
    public ArrayNode ended(List<EndedConnection> ended) {
        return connectionCodec.ended(ended, this);
    }

    /** Returns the time, milliseconds of the Unix epoch. */
    public long millis() {
        return clock.getAsLong();
    }

    public Json json() {
        return json;
    }

    /** Returns the application's version; empty outside OSGi. */
    public static String version() {
        Bundle bundle = FrameworkUtil.getBundle(Views.class);
        return bundle == null ? "" : bundle.getVersion().toString();
    }

    @Override
    public ObjectMapper mapper() {
        return mapper;
    }

    @Override
    public <T> JsonCodec<T> codec(Class<T> entityClass) {
        throw new UnsupportedOperationException("no codec for " + entityClass + " is needed here");
    }

    @Override
    public <T> T getService(Class<T> serviceClass) {
        return services.get(serviceClass);
    }
}
