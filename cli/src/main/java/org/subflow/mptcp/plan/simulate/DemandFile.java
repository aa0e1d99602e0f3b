// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.subflow.mptcp.plan.InputException;
import org.subflow.mptcp.plan.file.FileDemand;
import org.subflow.mptcp.plan.file.TopologyFile;

/** Demands in the forms of SNDlib and REPETITA, as {@code ./lab plan} reads them. */
final class DemandFile {
    private DemandFile() {
    }

    /** Returns whether a file is in such a form; false also for one that cannot be read, which others will say. */
    static boolean hasDemands(String file) {
        try {
            return TopologyFile.demands(file, Path.of(file)) != null;
        } catch (IOException | InvalidPathException e) {
            return false;
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage(), e);
        }
    }

    /**
     * Reads demands.
     *
     * @throws InputException if there is none, or the file is wrong
     */
    static List<FileDemand> demands(String file) {
        try {
            List<FileDemand> demands = TopologyFile.demands(file, Path.of(file));
            if (!demands.isEmpty()) {
                return demands;
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new InputException(file + ": cannot be read: " + e.getMessage(), e);
        }
        throw new InputException(file + ": there is no demand");
    }
}
