// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.text;

import java.util.Locale;
import java.util.OptionalDouble;
import org.subflow.mptcp.placement.Rates;

/** Rates as people read them. */
public final class RatesText {
    private static final double BPS_PER_MBPS = 1e6;

    private RatesText() {
    }

    /** Returns {@code up/down} in Mbit/s. */
    public static String of(Rates rates) {
        return of(rates.up()) + "/" + of(rates.down());
    }

    /** Returns the measured rate in percent of the expected one; a dash if nothing is expected. */
    public static String part(Rates measured, Rates expected) {
        OptionalDouble part = measured.partOf(expected);
        return part.isPresent() ? String.format(Locale.ROOT, "%.0f %%", 100 * part.getAsDouble()) : "-";
    }

    /** Returns one rate, given in bit/s, in Mbit/s. */
    public static String of(double bps) {
        return String.format(Locale.ROOT, "%.2f", bps / BPS_PER_MBPS);
    }
}
