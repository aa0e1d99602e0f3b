// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

/** Tells how long subflows wait for their rules, until ONOS confirms that the switches have them. Thread-safe. */
@FunctionalInterface
public interface RuleTimesService {
    /** What a subflow waits for. */
    enum Wait {
        /** Its first rules, from the moment at which it has earned them. */
        SETUP,
        /** The rules of another path, from ONOS's report of the change in the network that took the old one. */
        REROUTE
    }

    /**
     * Returns how long subflows have waited since the application started.
     *
     * @param wait what for; not null
     * @return the waits that have ended; not null
     */
    DurationHistogram histogram(Wait wait);
}
