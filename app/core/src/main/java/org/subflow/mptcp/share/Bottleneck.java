// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

/**
 * Why some connections of a max-min fair allocation cannot have more: capacity that they share is used up, and nobody on
 * it has a higher level (rate ÷ weight) than they.
 *
 * <p>With one subflow per connection this is the classic bottleneck link. With several, a bottleneck is a set of
 * arcs with
 * {@link ArcPrices prices}: each connection whose cheapest subflow has a price above 0 is held by it. Immutable.
 */
public final class Bottleneck {
    private final double level;
    private final ArcPrices prices;

    Bottleneck(double level, ArcPrices prices) {
        this.level = level;
        this.prices = prices;
    }

    /** Returns the rate per unit of weight, in bit/s, that the connections stopped here have. */
    public double level() {
        return level;
    }

    /** Returns the arcs that are used up, with prices of which only the proportions matter. */
    public ArcPrices prices() {
        return prices;
    }
}
