// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.Set;
import org.onosproject.net.LinkKey;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;

/**
 * The shared-risk link groups of a link in ONOS's network configuration: {@code {"links": {KEY: {"srlg": ["duct-7"]}}}}. Either
 * direction of a link may have it.
 */
public final class RiskGroupsConfig extends Config<LinkKey> {
    /** The key of the configuration below the link. */
    public static final String KEY = "srlg";

    private static final int MOST_GROUPS = 64;

    /**
     * Returns true if it is a list of names.
     *
     * @throws InvalidFieldException if it is not; the message says what it takes
     */
    @Override
    public boolean isValid() {
        groups();
        return true;
    }

    /**
     * Returns the names of the groups.
     *
     * @throws InvalidFieldException if one of them is no name
     */
    public Set<String> groups() {
        Set<String> groups = new LinkedHashSet<>();
        if (array != null) {
            for (JsonNode name : array) {
                if (!name.isTextual() || name.asText().isBlank() || array.size() > MOST_GROUPS) {
                    throw new InvalidFieldException(KEY, "it takes a list of up to 64 names in quotes");
                }
                groups.add(name.asText().trim());
            }
        }
        return groups;
    }
}
