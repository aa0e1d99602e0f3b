// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import java.util.Optional;
import org.onosproject.net.Annotated;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.DeviceId;
import org.onosproject.net.ElementId;
import org.onosproject.net.HostId;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BasicHostConfig;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.host.HostService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.subflow.mptcp.api.monitoring.NameService;

/** Names from ONOS: it writes {@code basic.name} of its network configuration into the annotations of devices. */
@Component(immediate = true, service = NameService.class)
public final class OnosNames implements NameService {
    /** What ONOS calls a host that has a network configuration without a name. */
    private static final String NO_NAME = "-";

    private final DeviceService devices;
    private final HostService hosts;
    private final NetworkConfigService configuration;

    /**
     * Makes names.
     *
     * @param devices       knows the switches; not null
     * @param hosts         knows the hosts; not null
     * @param configuration says names of hosts; not null
     */
    @Activate
    public OnosNames(@Reference DeviceService devices, @Reference HostService hosts, @Reference NetworkConfigService configuration) {
        this.devices = devices;
        this.hosts = hosts;
        this.configuration = configuration;
    }

    @Override
    public Optional<String> stated(ElementId element) {
        String name = element instanceof HostId ? host((HostId) element)
                : element instanceof DeviceId ? annotated(devices.getDevice((DeviceId) element)) : null;
        return Optional.ofNullable(name)
                .filter(said -> !said.isBlank() && !said.equals(NO_NAME) && !said.equals(element.toString()));
    }

    private String host(HostId id) {
        BasicHostConfig config = configuration.getConfig(id, BasicHostConfig.class);
        return config == null ? annotated(hosts.getHost(id)) : config.name();
    }

    private static String annotated(Annotated known) {
        return known == null ? null : known.annotations().value(AnnotationKeys.NAME);
    }
}
