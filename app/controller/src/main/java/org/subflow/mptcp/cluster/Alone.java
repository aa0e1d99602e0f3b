// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import java.util.Optional;

/** The election among one node: it decides at once and for good. */
public final class Alone implements Election {
    @Override
    public void start(Office office) {
        office.begin(Mandate.always());
    }

    @Override
    public void stop() {
        // Nobody else would take over.
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    @Override
    public boolean isStorageThere() {
        return true;
    }

    @Override
    public Optional<String> leader() {
        return Optional.empty();
    }
}
