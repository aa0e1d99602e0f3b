// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.net.intent.IntentEvent;
import org.onosproject.net.intent.IntentListener;
import org.onosproject.net.intent.IntentService;
import org.onosproject.net.resource.ResourceEvent;
import org.onosproject.net.resource.ResourceListener;
import org.onosproject.net.resource.ResourceService;
import org.subflow.mptcp.intent.MptcpIntent;

/** Tells when what others have reserved, or what there is to reserve, may have changed. */
public final class ResourceWatch {
    private final IntentService intents;
    private final ResourceService resources;
    private final IntentListener othersListener;
    private final ResourceListener addedListener;

    /**
     * Makes a watch; it hears nothing before {@link #start()}.
     *
     * @param intents   ONOS's intents; not null
     * @param resources ONOS's resources; not null
     * @param others    called when another application's intent came or went; on ONOS's event threads; not null
     * @param added     called when resources were registered, as of a port that came up; on the same threads; not null
     */
    public ResourceWatch(IntentService intents, ResourceService resources, Runnable others, Runnable added) {
        this.intents = checkNotNull(intents, "intents");
        this.resources = checkNotNull(resources, "resources");
        this.othersListener = new OthersListener(checkNotNull(others, "others"));
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
        private final Runnable trigger;

        private OthersListener(Runnable trigger) {
            this.trigger = trigger;
        }

        @Override
        public boolean isRelevant(IntentEvent event) {
            return !(event.subject() instanceof MptcpIntent)
                    && (event.type() == IntentEvent.Type.INSTALLED || event.type() == IntentEvent.Type.WITHDRAWN);
        }

        @Override
        public void event(IntentEvent event) {
            trigger.run();
        }
    }
}
