// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;

/**
 * Releases reservations at ports that are lost at once, before paths over them are replaced.
 *
 * <p>ONOS takes the ports out of its resources on the same event and on a thread of its own. It refuses, with a warning, while
 * bandwidth is reserved there. Nobody can make it wait, so the release may come too late: {@link LinkResources} then takes
 * the port out.
 */
public final class LostPorts implements DeviceListener {
    private final ReservationKeeper keeper;
    private final LinkResources links;
    private final Runnable trigger;
    private final Set<ConnectPoint> ports = ConcurrentHashMap.newKeySet();
    private final Set<DeviceId> devices = ConcurrentHashMap.newKeySet();

    /**
     * Makes a listener.
     *
     * @param soon   makes a trigger of a task, which runs on the thread that writes reservations; not null
     */
    public LostPorts(ReservationKeeper keeper, LinkResources links, UnaryOperator<Runnable> soon) {
        this.keeper = checkNotNull(keeper, "keeper");
        this.links = checkNotNull(links, "links");
        this.trigger = soon.apply(this::release);
    }

    @Override
    public boolean isRelevant(DeviceEvent event) {
        switch (event.type()) {
            case PORT_REMOVED:
            case DEVICE_REMOVED:
            case DEVICE_AVAILABILITY_CHANGED:
                return true;
            case PORT_UPDATED:
                return !event.port().isEnabled();
            default:
                return false;
        }
    }

    @Override
    public void event(DeviceEvent event) {
        if (event.port() == null) {
            devices.add(event.subject().id());
        } else {
            ports.add(new ConnectPoint(event.subject().id(), event.port().number()));
        }
        trigger.run();
    }

    private void release() {
        Set<ConnectPoint> lost = taken(ports);
        // A device whose availability has changed may be there: its ports are then up.
        Set<DeviceId> gone = taken(devices);
        keeper.lost(port -> lost.contains(port) || gone.contains(port.deviceId())).forEach(links::takeOut);
    }

    private static <T> Set<T> taken(Set<T> from) {
        Set<T> taken = new HashSet<>(from);
        from.removeAll(taken);
        return taken;
    }
}
