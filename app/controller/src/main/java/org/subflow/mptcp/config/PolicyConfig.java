// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import org.onosproject.core.ApplicationId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.policy.Policies;

/**
 * The policies as ONOS network configuration, {@code apps/org.subflow.mptcp/mptcp}: one field, {@code policies}, a list.
 *
 * <p>The fields of a policy; rates are Mbit/s on the wire, per direction:
 * <ul>
 * <li>{@code name}
 * <li>the connections that it is for: {@code hosts}, {@code clients}, {@code servers}, {@code ports}
 * <li>whether and when they have paths: {@code managed}, {@code manageAfterMillis}, {@code manageAfterBytes}
 * <li>which paths: {@code strategy}, {@code subflows}, {@code mostSubflows}, {@code joinPolicy}, {@code disjoint}, {@code
 *     maxDelayMillis}, {@code maxDelaySpreadMillis}
 * <li>their shares: {@code weight}, {@code capMbps}, {@code minMbps}, {@code whenShort}
 * </ul>
 */
public final class PolicyConfig extends Config<ApplicationId> {
    /** The key of the configuration below the application. */
    public static final String KEY = "mptcp";

    private static final Logger LOG = LoggerFactory.getLogger(PolicyConfig.class);
    private static final String POLICIES = "policies";

    /**
     * Returns true if the policies are usable; throws an exception that names the fault otherwise.
     *
     * @throws InvalidFieldException if a field is unusable; the message names the policy and the field
     */
    @Override
    public boolean isValid() {
        try {
            policies();
            return true;
        } catch (InvalidFieldException e) {
            // ONOS passes the message to REST clients, but reports nothing if the configuration precedes the application.
            LOG.warn("These policies are not usable, so those in force stay: {}", e.getMessage());
            throw e;
        }
    }

    /**
     * Returns the policies in their order.
     *
     * @throws InvalidFieldException if a field is unusable
     */
    public Policies policies() {
        hasOnlyFields(POLICIES);
        return object.has(POLICIES) ? PolicyReader.readAll(object.get(POLICIES)) : Policies.NONE;
    }
}
