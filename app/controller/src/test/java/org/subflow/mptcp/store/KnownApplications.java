// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import java.util.ArrayList;
import java.util.List;
import org.onosproject.app.ApplicationServiceAdapter;
import org.onosproject.app.ApplicationState;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.StorageException;

/** ONOS's list of applications with one that is active. */
public final class KnownApplications extends ApplicationServiceAdapter {
    private final ApplicationId application;
    private final List<Runnable> hooks = new ArrayList<>();
    private ApplicationState state = ApplicationState.ACTIVE;
    private boolean isSilent;

    public KnownApplications(ApplicationId application) {
        this.application = application;
    }

    /** Deactivates it, as far as its bundles. */
    public void deactivate() {
        state = ApplicationState.INSTALLED;
        callHooks();
    }

    /** Uninstalls it, as far as its bundles. */
    public void uninstall() {
        remove();
        callHooks();
    }

    /** Takes it off the list. */
    void remove() {
        state = null;
    }

    /** From now on the list does not answer. */
    void fallSilent() {
        isSilent = true;
    }

    private void callHooks() {
        hooks.forEach(Runnable::run);
        hooks.clear();
    }

    @Override
    public ApplicationState getState(ApplicationId of) {
        if (isSilent) {
            throw new StorageException.Timeout();
        }
        return of.equals(application) ? state : null;
    }

    @Override
    public void registerDeactivateHook(ApplicationId of, Runnable hook) {
        if (of.equals(application)) {
            hooks.add(hook);
        }
    }
}
