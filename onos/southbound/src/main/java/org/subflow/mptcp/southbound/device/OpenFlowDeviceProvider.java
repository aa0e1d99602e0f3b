// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.device;

import static org.subflow.mptcp.southbound.OpenFlowIds.dpid;
import static org.subflow.mptcp.southbound.OpenFlowIds.ofPort;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cluster.ClusterService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceProvider;
import org.onosproject.net.device.DeviceProviderRegistry;
import org.onosproject.net.device.DeviceProviderService;
import org.onosproject.net.provider.AbstractProvider;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.RoleState;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.types.OFPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.southbound.OpenFlowIds;
import org.subflow.mptcp.southbound.PollInterval;
import org.subflow.mptcp.southbound.StatisticsPoller;

/** Tells ONOS of OpenFlow switches and their ports, and does to them what ONOS asks for. */
@Component(immediate = true, property = OpenFlowDeviceProvider.POLL_FREQUENCY + ":Integer="
        + OpenFlowDeviceProvider.POLL_FREQUENCY_DEFAULT)
public class OpenFlowDeviceProvider extends AbstractProvider implements DeviceProvider, DeviceAnnotations {

    static final String POLL_FREQUENCY = "portStatsPollFrequency";
    static final int POLL_FREQUENCY_DEFAULT = 5;

    private static final Logger log = LoggerFactory.getLogger(OpenFlowDeviceProvider.class);

    @Reference
    protected DeviceProviderRegistry providerRegistry;

    @Reference
    protected OpenFlowController controller;

    @Reference
    protected ComponentConfigService cfgService;

    @Reference
    protected ClusterService clusterService;

    /** Seconds between two polls of the port counters, at least 1. */
    private int portStatsPollFrequency = POLL_FREQUENCY_DEFAULT;

    private StatisticsPoller poller;
    private SwitchListener listener;

    /** Makes the provider; the framework starts it. */
    public OpenFlowDeviceProvider() {
        super(OpenFlowIds.PROVIDER);
    }

    @Activate
    protected void activate(ComponentContext context) {
        cfgService.registerProperties(getClass());
        DeviceProviderService core = providerRegistry.register(this);
        poller = new StatisticsPoller(controller, "port-statistics", OpenFlowDeviceProvider::statisticsRequest);
        listener = new SwitchListener(controller, core, clusterService.getLocalNode().id().toString());
        controller.addListener(listener);
        controller.addEventListener(listener);
        modified(context);
        controller.getSwitches().forEach(sw -> listener.switchAdded(sw.getDpid()));
        log.info("Started");
    }

    @Deactivate
    protected void deactivate() {
        cfgService.unregisterProperties(getClass(), false);
        controller.removeListener(listener);
        controller.removeEventListener(listener);
        poller.stop();
        providerRegistry.unregister(this);
        log.info("Stopped");
    }

    @Modified
    protected void modified(ComponentContext context) {
        portStatsPollFrequency = PollInterval.read(context.getProperties(), POLL_FREQUENCY, portStatsPollFrequency);
        poller.setInterval(portStatsPollFrequency);
        log.info("Port counters are polled every {} s", portStatsPollFrequency);
    }

    @Override
    public boolean isReachable(DeviceId deviceId) {
        return connected(deviceId) != null;
    }

    @Override
    public void triggerProbe(DeviceId deviceId) {
        OpenFlowSwitch sw = connected(deviceId);
        if (sw != null) {
            sw.sendMsg(sw.factory().buildPortDescStatsRequest().build());
        }
    }

    @Override
    public void roleChanged(DeviceId deviceId, MastershipRole newRole) {
        controller.setRole(dpid(deviceId), roleState(newRole));
    }

    @Override
    public void changePortState(DeviceId deviceId, PortNumber portNumber, boolean enable) {
        OpenFlowSwitch sw = connected(deviceId);
        if (sw == null) {
            log.warn("{} is not connected, so its port {} stays as it is", deviceId, portNumber);
            return;
        }
        OFPort number = ofPort(portNumber);
        sw.getPorts().stream().filter(port -> port.getPortNo().equals(number)).findAny()
                .ifPresentOrElse(port -> sw.sendMsg(portMod(sw, port, enable)),
                        () -> log.warn("{} has no port {} to switch {}", deviceId, portNumber, enable ? "on" : "off"));
    }

    @Override
    public void triggerDisconnect(DeviceId deviceId) {
        OpenFlowSwitch sw = controller.getSwitch(dpid(deviceId));
        if (sw != null) {
            sw.disconnectSwitch();
        }
    }

    @Override
    public void tcpFlags(Dpid dpid, Map<String, String> values) {
        listener.describeAgain(dpid, values);
    }

    private OpenFlowSwitch connected(DeviceId deviceId) {
        OpenFlowSwitch sw = controller.getSwitch(dpid(deviceId));
        return sw != null && sw.isConnected() ? sw : null;
    }

    private static RoleState roleState(MastershipRole role) {
        switch (role) {
            case MASTER:
                return RoleState.MASTER;
            case STANDBY:
                return RoleState.EQUAL;
            default:
                return RoleState.SLAVE;
        }
    }

    private static OFMessage portMod(OpenFlowSwitch sw, OFPortDesc port, boolean enable) {
        Set<OFPortConfig> down = EnumSet.of(OFPortConfig.PORT_DOWN);
        return sw.factory().buildPortMod()
                .setPortNo(port.getPortNo())
                .setHwAddr(port.getHwAddr())
                .setConfig(enable ? EnumSet.noneOf(OFPortConfig.class) : down)
                .setMask(down)
                .setAdvertise(0)
                .build();
    }

    private static OFMessage statisticsRequest(OpenFlowSwitch sw) {
        return sw.factory().buildPortStatsRequest().setPortNo(OFPort.ANY).build();
    }
}
