// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

/**
 * The reason why some connections of a max-min fair allocation cannot get more: they share capacity that is used up, and no
 * connection on it has a higher level (rate ÷ weight).
 *
 * <p>With one subflow per connection this is the classic bottleneck link. With several, a bottleneck is a set of arcs with
 * {@link ArcPrices prices}: it holds each connection whose cheapest subflow has a price above 0. Immutable.
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
