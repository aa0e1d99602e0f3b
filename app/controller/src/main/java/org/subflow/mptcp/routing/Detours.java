// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * Detours around lost links, for paths whose rules subflows share. A detour leaves its path at a switch before the lost link and
 * goes to the path's last switch. So a few rules carry all subflows on the path until each has a path of its own again. RFC 4090
 * has the idea, as local repair by one-to-one backup.
 *
 * <p>Limits to delays and disjointness do not hold here: a detour is better than loss. It lasts until the subflows have paths
 * again that keep to them. Stateless.
 */
public final class Detours {
    private static final PathStrategy SHORTEST = PathStrategies.named("shortest");

    private Detours() {
    }

    /**
     * Returns the way that packets on a path should take now: the path itself if all its links are up, else a detour. It begins
     * with the first link of the path, because packets get the path's label in its first switch. It leaves the path as late as it
     * can, with as few links as possible from there, and meets no switch twice.
     *
     * @param network the present network; not null
     * @param path    consecutive directed links, up or not; at least one
     * @return the links; empty if there is no such way
     */
    public static Optional<List<Link>> around(NetworkSnapshot network, List<Link> path) {
        int lost = 0;
        while (lost < path.size() && network.arc(path.get(lost)) >= 0) {
            lost++;
        }
        if (lost == path.size()) {
            return Optional.of(path);
        }
        DeviceId end = path.get(path.size() - 1).dst().deviceId();
        for (int kept = lost; kept > 0; kept--) {
            List<Link> before = path.subList(0, kept);
            Optional<List<Link>> rest = shortest(network, path.get(kept).src().deviceId(), end, sources(before));
            if (rest.isPresent()) {
                List<Link> links = new ArrayList<>(before);
                links.addAll(rest.get());
                return Optional.of(links);
            }
        }
        return Optional.empty();
    }

    private static Set<DeviceId> sources(List<Link> links) {
        Set<DeviceId> sources = new HashSet<>();
        links.forEach(link -> sources.add(link.src().deviceId()));
        return sources;
    }

    private static Optional<List<Link>> shortest(NetworkSnapshot network, DeviceId from, DeviceId to, Set<DeviceId> avoided) {
        if (network.node(from) < 0 || network.node(to) < 0) {
            return Optional.empty();
        }
        double[] usable = network.links().stream()
                .mapToDouble(link -> avoided.contains(link.dst().deviceId()) ? 0 : network.capacity(link)).toArray();
        PathSet paths = SHORTEST.findPaths(PathRequest.on(network.graph()).from(network.node(from)).to(network.node(to)).k(1)
                                                   .residual(usable).build());
        return paths.isEmpty() ? Optional.empty() : Optional.of(network.links(paths.get(0)));
    }
}
