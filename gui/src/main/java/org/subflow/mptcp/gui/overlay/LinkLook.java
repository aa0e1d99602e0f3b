// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.onosproject.ui.topo.LinkHighlight;
import org.onosproject.ui.topo.LinkHighlight.Flavor;
import org.onosproject.ui.topo.Mod;
import org.subflow.mptcp.api.SubflowState;

/** How a link looks that some subflows use: colour and dashes of one of them, and a label that tells of all. */
final class LinkLook {
    /** Longer labels cover their neighbours. */
    private static final int MOST_NAMED = 2;
    private static final double BPS_PER_MBPS = 1e6;
    private static final Mod DASHED = new Mod("inactive");
    private static final Mod RED_DASHED = new Mod("not-permitted");

    /** Colours of the view's own style sheet that are easy to tell apart; it has no others for links. */
    private enum Colour {
        GREEN(Flavor.SECONDARY_HIGHLIGHT, "port-traffic-green"),
        VIOLET(Flavor.PRIMARY_HIGHLIGHT, "optical"),
        ORANGE(Flavor.SECONDARY_HIGHLIGHT, "port-traffic-orange"),
        BLUE(Flavor.NO_HIGHLIGHT, "enhanced");

        private final Flavor flavor;
        private final String mod;

        Colour(Flavor flavor, String mod) {
            this.flavor = flavor;
            this.mod = mod;
        }

        private static Colour of(int number) {
            return values()[(number - 1) % values().length];
        }
    }

    /** A subflow as labels tell of it. */
    static final class Part {
        private final int number;
        private final SubflowState state;
        private final double measured;
        private final double expected;

        /**
         * Makes a part.
         *
         * @param number   of the subflow on the view, from 1
         * @param state    its state
         * @param measured bit/s in the direction in which the connection sends more; NaN if no counter has been read twice
         * @param expected bit/s in the same direction
         */
        Part(int number, SubflowState state, double measured, double expected) {
            this.number = number;
            this.state = state;
            this.measured = measured;
            this.expected = expected;
        }

        private String text() {
            switch (state) {
                case BACKUP:
                    return number + ": backup";
                case DOWN:
                    return number + ": down";
                default:
                    return number + ": " + rates(measured, expected);
            }
        }
    }

    private final List<Part> parts = new ArrayList<>();

    void add(Part part) {
        parts.add(part);
    }

    /** Makes the highlight of a link with this name, without its label. */
    LinkHighlight highlight(String id) {
        // States are declared in the order in which they count: active, backup, blocked, down.
        Part first = parts.stream().min(Comparator.comparing(part -> part.state)).orElseThrow(IllegalStateException::new);
        if (first.state == SubflowState.DOWN) {
            return new LinkHighlight(id, Flavor.NO_HIGHLIGHT).addMod(RED_DASHED);
        }
        Colour colour = Colour.of(first.number);
        LinkHighlight highlight = new LinkHighlight(id, colour.flavor).addMod(new Mod(colour.mod));
        return first.state == SubflowState.BACKUP ? highlight.addMod(DASHED) : highlight;
    }

    /** Returns a text about all of its subflows. */
    String label() {
        return label(parts);
    }

    /** Returns a text about some subflows: one by one if they are few, else their sums. */
    static String label(List<Part> parts) {
        if (parts.size() <= MOST_NAMED) {
            return parts.stream().map(Part::text).collect(Collectors.joining(" | "));
        }
        double[] measured = parts.stream().mapToDouble(part -> part.measured).filter(rate -> !Double.isNaN(rate)).toArray();
        return parts.size() + " subflows " + rates(measured.length == 0 ? Double.NaN : Arrays.stream(measured).sum(),
                                                  parts.stream().mapToDouble(part -> part.expected).sum());
    }

    /** Writes rates in Mbit/s; the unit would only make labels longer. */
    private static String rates(double measured, double expected) {
        return mbps(measured) + "/" + mbps(expected);
    }

    private static String mbps(double rate) {
        return Double.isNaN(rate) ? "-" : BigDecimal.valueOf(rate / BPS_PER_MBPS).setScale(1, RoundingMode.HALF_UP).stripTrailingZeros().toPlainString();
    }
}
