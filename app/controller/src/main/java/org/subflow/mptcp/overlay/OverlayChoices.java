// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.overlay;

import com.google.common.collect.ImmutableSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.osgi.service.component.annotations.Component;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.OverlayService;

/** Keeps the choices of users in memory. */
@Component(immediate = true, service = OverlayService.class)
public final class OverlayChoices implements OverlayService {
    private final ConcurrentMap<String, Set<ConnectionId>> choices = new ConcurrentHashMap<>();

    @Override
    public void show(String user, Set<ConnectionId> connections) {
        choices.put(user, ImmutableSet.copyOf(connections));
    }

    @Override
    public void hide(String user) {
        choices.remove(user);
    }

    @Override
    public Optional<Set<ConnectionId>> shown(String user) {
        return Optional.ofNullable(choices.get(user));
    }
}
