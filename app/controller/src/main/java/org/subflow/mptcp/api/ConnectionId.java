// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import java.util.regex.Pattern;

/**
 * The identifier of an MPTCP connection in the controller. Users type it, and the key of the connection's intent contains
 * it.
 *
 * <p>Immutable and ordered by its text.
 */
public final class ConnectionId implements Comparable<ConnectionId> {
    private static final Pattern SYNTAX = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private final String value;

    private ConnectionId(String value) {
        this.value = value;
    }

    /**
     * Makes an identifier.
     *
     * @param value 1 to 63 letters, digits, dots, underscores and hyphens, the first a letter or digit; not null
     * @return the identifier
     * @throws IllegalArgumentException if the text has another form
     */
    public static ConnectionId of(String value) {
        checkNotNull(value, "connection id");
        checkArgument(SYNTAX.matcher(value).matches(),
                      "'%s' is not a connection id: 1 to 63 letters, digits, '.', '_' or '-' are", value);
        return new ConnectionId(value);
    }

    /** Returns the identifier's text. */
    public String value() {
        return value;
    }

    @Override
    public int compareTo(ConnectionId other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ConnectionId && ((ConnectionId) other).value.equals(value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}
