// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentEvent;
import org.onosproject.net.intent.IntentListener;
import org.onosproject.net.intent.IntentServiceAdapter;
import org.onosproject.net.intent.Key;
import org.onosproject.net.intent.PathIntent;
import org.onosproject.net.resource.ResourceService;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.intent.IntentIds;
import org.subflow.mptcp.intent.MptcpIntent;

/** Whose intents make the application look at the reservations of others. */
class ResourceWatchTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ApplicationId OTHER = new DefaultApplicationId(8, "org.example");

    private final AtomicInteger looks = new AtomicInteger();
    private IntentListener listener;

    @BeforeEach
    void start() {
        IntentIds.bind();
        IntentServiceAdapter intents = new IntentServiceAdapter() {
            @Override
            public void addListener(IntentListener added) {
                listener = added;
            }
        };
        ResourceService resources = (ResourceService) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ResourceService.class}, (proxy, method, arguments) -> null);
        new ResourceWatch(intents, resources, APP, looks::incrementAndGet, () -> { }).start();
    }

    @Test
    void anotherApplicationsIntentIsALook() {
        installed(rules(OTHER, "others"));
        assertEquals(1, looks.get());
    }

    @Test
    void noneOfOursIs() {
        installed(new MptcpIntent(APP, ConnectionId.of("c"), 1, List.of()));
        installed(rules(APP, "mptcp-c"));
        assertEquals(0, looks.get(), "in a cluster, ours are ONOS's own intents");
    }

    private void installed(Intent intent) {
        IntentEvent event = new IntentEvent(IntentEvent.Type.INSTALLED, intent);
        if (listener.isRelevant(event)) {
            listener.event(event);
        }
    }

    private static Intent rules(ApplicationId app, String key) {
        return new FlowRuleIntent(app, Key.of(key, app), List.of(), Set.of(), PathIntent.ProtectionType.PRIMARY, null);
    }
}
