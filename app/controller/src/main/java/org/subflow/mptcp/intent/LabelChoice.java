// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.policy.PathLabels;

/**
 * Decides which connections' paths have labels. With {@link PathLabels#AUTO} a connection keeps what it began with: after a
 * failure, one with exact rules gets exact rules at once, and does not wait for those of new paths with labels. Used by the
 * submitting thread.
 */
public final class LabelChoice {
    private final Supplier<PathLabels> setting;
    /** Whether each submitted connection has labels. */
    private final Map<ConnectionId, Boolean> chosen = new HashMap<>();

    /**
     * Makes it.
     *
     * @param setting the setting as it is now; not null
     */
    public LabelChoice(Supplier<PathLabels> setting) {
        this.setting = checkNotNull(setting, "setting");
    }

    /** Returns one that gives no labels. */
    static LabelChoice none() {
        return new LabelChoice(() -> PathLabels.OFF);
    }

    /** Returns a route of a connection that is about to be submitted, with labels if the connection is to have some. */
    SubflowRoute labelled(ConnectionId connection, SubflowRoute route) {
        return areUsed(connection) ? route.labelled() : route;
    }

    private boolean areUsed(ConnectionId connection) {
        PathLabels now = setting.get();
        Boolean before = chosen.get(connection);
        boolean isKept = now == PathLabels.AUTO && before != null;
        boolean use = isKept ? before : now.areUsed(chosen.size() - (before == null ? 0 : 1));
        chosen.put(connection, use);
        return use;
    }

    /** Forgets a connection that is submitted no more. */
    void forget(ConnectionId connection) {
        chosen.remove(connection);
    }

    /** Forgets all connections. */
    void clear() {
        chosen.clear();
    }
}
