// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.text;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times as people read them, in the zone of ONOS. */
public final class Times {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private Times() {
    }

    /** Returns a time, given in milliseconds of the Unix epoch, to the second. */
    public static String of(long millis) {
        return FORMAT.format(Instant.ofEpochMilli(millis));
    }
}
