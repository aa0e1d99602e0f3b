// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.subflow.mptcp.api.ConnectionId;

/** What clients shall open and close, by connection. Thread-safe. */
final class PathCommands {
    private final Map<ConnectionId, PathCommand> commands = new ConcurrentHashMap<>();

    /** Sets a command; returns whether it is another one than before. */
    boolean put(ConnectionId id, PathCommand command) {
        PathCommand before = command.equals(PathCommand.NONE) ? commands.remove(id) : commands.put(id, command);
        return !command.equals(before == null ? PathCommand.NONE : before);
    }

    PathCommand of(ConnectionId id) {
        return commands.getOrDefault(id, PathCommand.NONE);
    }
}
