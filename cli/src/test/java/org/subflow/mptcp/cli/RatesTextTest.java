// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.cli.text.RatesText;
import org.subflow.mptcp.placement.Rates;

/** Rates as people read them, in every country alike. */
class RatesTextTest {
    private final Locale usual = Locale.getDefault();

    @AfterEach
    void restore() {
        Locale.setDefault(usual);
    }

    @Test
    void ratesAreInMegabitsPerSecond() {
        assertEquals("12.35", RatesText.of(12_345_678));
        assertEquals("0.00", RatesText.of(4_999));
        assertEquals("9.00/0.50", RatesText.of(Rates.of(9e6, 0.5e6)));
    }

    @Test
    void aPartIsOfTheLargerDirection() {
        assertEquals("50 %", RatesText.part(Optional.of(Rates.of(2e6, 1e6)), Rates.of(4e6, 1e6)));
        assertEquals("120 %", RatesText.part(Optional.of(Rates.of(0, 1.2e6)), Rates.of(0, 1e6)));
        assertEquals("-", RatesText.part(Optional.of(Rates.of(1e6, 1e6)), Rates.ZERO));
    }

    @Test
    void whatNobodyHasMeasuredIsADash() {
        assertEquals("-", RatesText.part(Optional.empty(), Rates.of(1e6, 1e6)));
        assertEquals("-", RatesText.of(Optional.empty()));
        assertEquals("-", RatesText.of(Double.NaN));
        assertEquals("0.00/0.00", RatesText.of(Optional.of(Rates.ZERO)));
    }

    @Test
    void theDecimalPointStaysAPoint() {
        Locale.setDefault(Locale.GERMANY);
        assertEquals("1.50", RatesText.of(1.5e6));
        assertEquals("50 %", RatesText.part(Optional.of(Rates.of(2e6, 0)), Rates.of(4e6, 0)));
    }
}
