// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound;

import java.util.Dictionary;
import org.onlab.util.Tools;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a polling interval out of a component's configuration. */
public final class PollInterval {

    private static final Logger log = LoggerFactory.getLogger(PollInterval.class);

    private PollInterval() {
    }

    /**
     * {@return the interval that a property holds, in seconds}
     *
     * @param properties of the component
     * @param name of the property
     * @param current what stays if the property is missing, no number or below 1
     */
    public static int read(Dictionary<?, ?> properties, String name, int current) {
        String text = Tools.get(properties, name);
        if (text == null || text.isBlank()) {
            return current;
        }
        try {
            int seconds = Integer.parseInt(text.trim());
            if (seconds >= 1) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            log.debug("{} is not a number", text);
        }
        log.warn("{} must be a number of seconds, at least 1, not '{}'; it stays at {}", name, text, current);
        return current;
    }
}
