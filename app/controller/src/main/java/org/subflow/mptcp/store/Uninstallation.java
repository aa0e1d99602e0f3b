// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.app.ApplicationService;
import org.onosproject.core.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the active application is uninstalled rather than deactivated: then nothing that it has stored stays.
 *
 * <p>ONOS calls an application's hooks before it stops the bundles. An application that is uninstalled is off ONOS's list by
 * then, and one that is deactivated is on it. Later the list tells less: a deactivated application may be replaced while its
 * bundles still stop. Without a hook's call, as when ONOS itself stops, nobody is uninstalled. Thread-safe.
 */
public final class Uninstallation {
    private static final Logger LOG = LoggerFactory.getLogger(Uninstallation.class);

    private volatile boolean isUnderWay;

    private Uninstallation() {
    }

    /**
     * Begins to watch.
     *
     * @param applications ONOS's list of applications; not null
     * @param application  this application, which is active; not null
     * @return what tells it from then on
     */
    public static Uninstallation watch(ApplicationService applications, ApplicationId application) {
        checkNotNull(application, "application");
        Uninstallation watch = new Uninstallation();
        applications.registerDeactivateHook(application, () -> watch.look(applications, application));
        return watch;
    }

    private void look(ApplicationService applications, ApplicationId application) {
        try {
            isUnderWay = applications.getState(application) == null;
        } catch (RuntimeException e) {
            LOG.warn("ONOS does not say whether the application is uninstalled; what is stored stays", e);
        }
    }

    /** Returns whether the application is being uninstalled. */
    public boolean isUnderWay() {
        return isUnderWay;
    }
}
