// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.util.ArrayList;
import java.util.List;

/** What a file says of a link besides its ends, collected field by field. For one thread. */
public final class LinkFields {
    /** What tells it from other links between the same nodes, as in networkx; null if the file does not say. */
    String key;
    /** In Mbit/s; null if the file gives none. */
    Double capacityMbps;
    /** In milliseconds; not a number if the file gives none. */
    double delayMillis = Double.NaN;
    /** The names of its shared-risk link groups. */
    final List<String> groups = new ArrayList<>();

    /** Sets the key; null if there is none. */
    public LinkFields key(String text) {
        this.key = text;
        return this;
    }

    /** Sets the capacity in Mbit/s; null if there is none. */
    public LinkFields capacityMbps(Double mbps) {
        this.capacityMbps = mbps;
        return this;
    }

    /** Sets the delay in milliseconds; null if there is none. */
    public LinkFields delayMillis(Double millis) {
        // What is no number is refused with a negative one's message.
        this.delayMillis = millis == null ? Double.NaN : Double.isNaN(millis) ? -1 : millis;
        return this;
    }

    /** Adds a shared-risk link group by its name. */
    public LinkFields group(String name) {
        groups.add(name);
        return this;
    }
}
