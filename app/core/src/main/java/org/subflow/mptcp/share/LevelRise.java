// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Max-min fair totals in one sweep: all levels (total ÷ weight) rise together while a {@link RateSimplex} moves rates
 * between subflows. At a wall, its prices are a {@link Cut}: who pays by it can have no more and stops, the others go on.
 * Who reaches the cap of its own stops too.
 */
final class LevelRise {
    private static final double AT_CAP = 1 - 1e-13;

    private final Rows rows;
    private final RateSimplex simplex;
    private final Locks locks;
    private final boolean[] rises;
    private int rising;
    private final double[] speed;
    private final List<Cut> cuts = new ArrayList<>();

    /**
     * Lets the levels rise to the end.
     *
     * @param spread whether to begin with connections spread over their subflows about as they will be in the end, which is
     *               faster
     */
    LevelRise(Rows rows, boolean spread) {
        this.rows = rows;
        simplex = new RateSimplex(rows);
        locks = new Locks(rows, simplex);
        speed = new double[rows.connections()];
        rises = new boolean[rows.connections()];
        Arrays.fill(rises, true);
        rising = rises.length;
        if (spread) {
            simplex.spread(new RoughSplit(rows).part);
        }
        while (rising > 0 && !simplex.broken()) {
            if (simplex.walk(speed, wayToCap())) {
                stopAtCaps();
            } else if (!simplex.broken()) {
                stopAtWall();
            }
        }
        simplex.settle();
    }

    /** Returns the simplex where the sweep ended: totals, rates that give them, and what is locked. */
    RateSimplex simplex() {
        return simplex;
    }

    /** Returns the cuts that stopped somebody, the lowest level first. */
    List<Cut> cuts() {
        return cuts;
    }

    /** Sets the speeds, the largest of them 1, and returns the way to the next cap. */
    private double wayToCap() {
        double heaviest = 0;
        for (int c = 0; c < rises.length; c++) {
            heaviest = rises[c] ? Math.max(heaviest, rows.weight[c]) : heaviest;
        }
        double way = Double.POSITIVE_INFINITY;
        for (int c = 0; c < rises.length; c++) {
            speed[c] = rises[c] ? rows.weight[c] / heaviest : 0;
            way = rises[c] ? Math.min(way, Math.max(0, rows.cap[c] - simplex.moving.total[c]) / speed[c]) : way;
        }
        return way;
    }

    private void stopAtCaps() {
        for (int c = 0; c < rises.length; c++) {
            if (rises[c] && simplex.moving.total[c] >= rows.cap[c] * AT_CAP) {
                simplex.moving.total[c] = rows.cap[c];
                stop(c);
            }
        }
    }

    private void stopAtWall() {
        RowPrices prices = simplex.prices;
        double most = prices.largest();
        int before = rising;
        for (int i = 0; i < prices.payers(); i++) {
            int c = prices.payer[i];
            if (rises[c] && prices.pays[simplex.basis.key[c]] > Tolerances.BINDING_PRICE * most) {
                stop(c);
            }
        }
        if (rising == before) {
            locks.lockForNow();
        } else {
            cuts.add(locks.cut());
        }
        prices.clear();
    }

    private void stop(int c) {
        rises[c] = false;
        rising--;
    }
}
