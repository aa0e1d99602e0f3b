// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;

/** Only an application that is uninstalled while it is active forgets everything. */
class UninstallationTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");

    private final KnownApplications onos = new KnownApplications(APP);
    private final Uninstallation uninstallation = Uninstallation.watch(onos, APP);

    @Test
    void whoIsOffTheListWhenItsBundlesStopIsUninstalled() {
        assertFalse(uninstallation.isUnderWay());
        onos.uninstall();
        assertTrue(uninstallation.isUnderWay());
    }

    @Test
    void whoIsOnTheListIsDeactivatedAlsoIfItIsReplacedMeanwhile() {
        onos.deactivate();
        onos.remove();
        assertFalse(uninstallation.isUnderWay());
    }

    /** ONOS may have closed its list when it stops. */
    @Test
    void withoutAHooksCallNobodyIsUninstalled() {
        onos.remove();
        assertFalse(uninstallation.isUnderWay());
    }

    @Test
    void withoutAnAnswerNobodyIsUninstalled() {
        onos.fallSilent();
        onos.uninstall();
        assertFalse(uninstallation.isUnderWay());
    }
}
