// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.plan;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import org.subflow.mptcp.api.Connection;

/** What a connection that began now would get by one strategy, or why there is no answer. Immutable. */
public final class WhatIfAnswer {
    private final Connection connection;
    private final String error;
    private final long micros;

    private WhatIfAnswer(Connection connection, String error, long micros) {
        this.connection = connection;
        this.error = error;
        this.micros = micros;
    }

    /**
     * Makes an answer.
     *
     * @param connection the connection with its paths and expected throughputs; not null
     * @param micros     how long that took, microseconds
     */
    public static WhatIfAnswer of(Connection connection, long micros) {
        return new WhatIfAnswer(checkNotNull(connection, "connection"), null, micros);
    }

    /** Makes an answer that says why there is none; not null. */
    public static WhatIfAnswer failed(String why) {
        return new WhatIfAnswer(null, checkNotNull(why, "why"), 0);
    }

    /** Returns the connection with its paths and expected throughputs; empty if there is no answer. */
    public Optional<Connection> connection() {
        return Optional.ofNullable(connection);
    }

    /** Returns why there is no answer; empty if there is one. */
    public Optional<String> error() {
        return Optional.ofNullable(error);
    }

    /** Returns how long the answer took, microseconds; 0 if there is none. */
    public long micros() {
        return micros;
    }
}
