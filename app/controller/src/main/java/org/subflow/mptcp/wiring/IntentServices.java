// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.net.intent.IntentService;
import org.onosproject.net.intent.IntentStore;
import org.onosproject.net.resource.ResourceAdminService;
import org.onosproject.net.resource.ResourceService;
import org.subflow.mptcp.intent.MptcpIntentCompiler;

/** ONOS's services of intents and resources, and the compiler of ours. */
final class IntentServices {
    final IntentService intents;
    final IntentStore store;
    final ResourceService resources;
    final ResourceAdminService resourceAdmin;
    final MptcpIntentCompiler compiler;

    IntentServices(IntentService intents, IntentStore store, ResourceService resources,
                   ResourceAdminService resourceAdmin, MptcpIntentCompiler compiler) {
        this.intents = checkNotNull(intents, "intents");
        this.store = checkNotNull(store, "store");
        this.resources = checkNotNull(resources, "resources");
        this.resourceAdmin = checkNotNull(resourceAdmin, "resourceAdmin");
        this.compiler = checkNotNull(compiler, "compiler");
    }
}
