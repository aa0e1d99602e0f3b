// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import org.onosproject.rest.ApiDocProvider;
import org.onosproject.rest.ApiDocService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * Shows the REST interface in ONOS's API documents, which read {@code apidoc/swagger.json} from this bundle. The unit tests write
 * that file from the resources' sources.
 */
@Component(immediate = true, service = {})
public final class ApiDocs {
    /** Where the interface is. */
    static final String CONTEXT = "/onos/v1/mptcp";
    /** Its title. */
    static final String TITLE = "MPTCP path control REST API";

    @Reference
    private volatile ApiDocService service;

    private final ApiDocProvider provider = new ApiDocProvider(CONTEXT, TITLE, ApiDocs.class.getClassLoader());

    @Activate
    void activate() {
        service.register(provider);
    }

    @Deactivate
    void deactivate() {
        service.unregister(provider);
    }
}
