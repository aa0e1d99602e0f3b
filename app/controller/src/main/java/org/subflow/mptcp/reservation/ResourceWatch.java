// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.core.ApplicationId;
import org.onosproject.net.intent.IntentEvent;
import org.onosproject.net.intent.IntentListener;
import org.onosproject.net.intent.IntentService;
import org.onosproject.net.resource.ResourceEvent;
import org.onosproject.net.resource.ResourceListener;
import org.onosproject.net.resource.ResourceService;

/** Notifies when the reservations of other applications, or the reservable resources, may have changed. */
public final class ResourceWatch {
    private final IntentService intents;
    private final ResourceService resources;
    private final IntentListener othersListener;
    private final ResourceListener addedListener;

    /**
     * Makes a watch; it is inactive before {@link #start()}.
     *
     * @param others    called after another application's intent was installed or withdrawn, on ONOS's event threads; not
     *                  null
     * @param added     called when ONOS registers resources, for example those of a port that comes up, on the same
     *                  threads; not null
     */
    public ResourceWatch(IntentService intents, ResourceService resources, ApplicationId appId, Runnable others,
                         Runnable added) {
        this.intents = checkNotNull(intents, "intents");
        this.resources = checkNotNull(resources, "resources");
        this.othersListener = new OthersListener(checkNotNull(appId, "appId"), checkNotNull(others, "others"));
        checkNotNull(added, "added");
        this.addedListener = event -> {
            if (event.type() == ResourceEvent.Type.RESOURCE_ADDED) {
                added.run();
            }
        };
    }

    public void start() {
        intents.addListener(othersListener);
        resources.addListener(addedListener);
    }

    public void stop() {
        intents.removeListener(othersListener);
        resources.removeListener(addedListener);
    }

    private static final class OthersListener implements IntentListener {
        private final ApplicationId appId;
        private final Runnable trigger;

        private OthersListener(ApplicationId appId, Runnable trigger) {
            this.appId = appId;
            this.trigger = trigger;
        }

        @Override
        public boolean isRelevant(IntentEvent event) {
            return !event.subject().appId().equals(appId)
                    && (event.type() == IntentEvent.Type.INSTALLED || event.type() == IntentEvent.Type.WITHDRAWN);
        }

        @Override
        public void event(IntentEvent event) {
            trigger.run();
        }
    }
}
