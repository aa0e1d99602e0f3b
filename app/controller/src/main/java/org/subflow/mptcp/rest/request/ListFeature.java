// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import javax.ws.rs.container.DynamicFeature;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.FeatureContext;

/** Gives each operation with {@link Listed} a {@link ListFilter}. */
public class ListFeature implements DynamicFeature {
    @Override
    public void configure(ResourceInfo operation, FeatureContext context) {
        Listed listed = operation.getResourceMethod().getAnnotation(Listed.class);
        if (listed != null) {
            context.register(new ListFilter(listed));
        }
    }
}
