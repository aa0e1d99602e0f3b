// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Reads values of settings as users type them. */
final class UserValues {
    private UserValues() {
    }

    /**
     * Finds the value that is written like this.
     *
     * @param setting the name of the setting, for the message; not null
     * @param text    what the user has typed
     * @param values  all values; not null
     * @return the value
     * @throws IllegalArgumentException if it is none of these; the message lists them
     */
    static <T> T parse(String setting, String text, T[] values) {
        return Arrays.stream(values).filter(value -> value.toString().equals(text)).findFirst().orElseThrow(
                () -> new IllegalArgumentException(setting + " = " + text + ": it takes "
                        + Arrays.stream(values).map(Object::toString).collect(Collectors.joining(", "))));
    }
}
