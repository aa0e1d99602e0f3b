// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.text;

import java.util.Locale;
import java.util.Optional;
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

    /** Does so; a dash if nothing was measured. */
    public static String of(Optional<Rates> measured) {
        return measured.map(RatesText::of).orElse("-");
    }

    /** Returns the measured rate in percent of the expected one; a dash if nothing was measured or is expected. */
    public static String part(Optional<Rates> measured, Rates expected) {
        OptionalDouble part = measured.map(rates -> rates.partOf(expected)).orElse(OptionalDouble.empty());
        return part.isPresent() ? String.format(Locale.ROOT, "%.0f %%", 100 * part.getAsDouble()) : "-";
    }

    /** Returns one rate, given in bit/s, in Mbit/s; a dash for NaN. */
    public static String of(double bps) {
        return Double.isNaN(bps) ? "-" : String.format(Locale.ROOT, "%.2f", bps / BPS_PER_MBPS);
    }
}
