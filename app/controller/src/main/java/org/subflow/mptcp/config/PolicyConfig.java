// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import org.onosproject.core.ApplicationId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Policies;

/**
 * The policies as ONOS network configuration, {@code apps/org.subflow.mptcp/mptcp}: one field, {@code policies}, a list.
 *
 * <p>A policy has a {@code name} and says whom it is about ({@code hosts}, {@code clients}, {@code servers},
 * {@code ports}) and what is done ({@code managed}, {@code strategy}, {@code subflows}, {@code joinPolicy},
 * {@code weight}, {@code capMbps}, {@code whenShort}, {@code minMbps}); rates are Mbit/s on the wire, per direction.
 */
public final class PolicyConfig extends Config<ApplicationId> {
    /** Its key below the application. */
    public static final String KEY = "mptcp";

    private static final Logger LOG = LoggerFactory.getLogger(PolicyConfig.class);
    private static final String POLICIES = "policies";

    /**
     * Returns whether the policies can be used: true, or an exception that says what is wrong.
     *
     * @throws InvalidFieldException if something is not usable; the message names the policy and the field
     */
    @Override
    public boolean isValid() {
        try {
            policies();
            return true;
        } catch (InvalidFieldException e) {
            // ONOS tells REST clients why, but nobody if the configuration came before the application did.
            LOG.warn("These policies are not usable, so those in force stay: {}", e.getMessage());
            throw e;
        }
    }

    /**
     * Returns the policies in their order.
     *
     * @throws InvalidFieldException if something is not usable
     */
    public Policies policies() {
        hasOnlyFields(POLICIES);
        return object.has(POLICIES) ? PolicyReader.readAll(object.get(POLICIES)) : Policies.NONE;
    }
}
