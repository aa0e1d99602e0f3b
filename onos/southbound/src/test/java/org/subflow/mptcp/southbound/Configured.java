// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound;

import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import org.onlab.osgi.ComponentContextAdapter;

/** A component's context that holds the properties of a test. */
@SuppressWarnings("unchecked") // ONOS's adapter leaves type parameters out
public final class Configured extends ComponentContextAdapter {
    private final Map<String, Object> properties;

    public Configured(Map<String, Object> properties) {
        this.properties = properties;
    }

    @Override
    public Dictionary<String, Object> getProperties() {
        return new Hashtable<>(properties);
    }
}
