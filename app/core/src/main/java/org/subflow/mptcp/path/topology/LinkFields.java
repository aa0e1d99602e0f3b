// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a file says of a link besides its ends, collected field by field. For one thread. */
public final class LinkFields {
    private static final double BITS_PER_MEGABIT = 1e6;
    private static final double KILOBITS_PER_MEGABIT = 1e3;

    /** What tells it from other links between the same nodes, as in networkx; null if the file does not say. */
    String key;
    /** In milliseconds; not a number if the file gives none. */
    double delayMillis = Double.NaN;
    /** The names of its shared-risk link groups. */
    final List<String> groups = new ArrayList<>();
    /** Whether it leads from its source to its target only; null if that is as in the whole file. */
    Boolean oneWay;
    private Double mbps;
    private Double rawMbps;
    private String speed;
    private String units;

    /** Sets the key; null if there is none. */
    public LinkFields key(String text) {
        this.key = text;
        return this;
    }

    /** Sets the capacity in Mbit/s; null if there is none. */
    public LinkFields capacityMbps(Double capacity) {
        this.mbps = capacity;
        return this;
    }

    /** Sets the delay in milliseconds; null if there is none. */
    public LinkFields delayMillis(Double millis) {
        // What is no number is refused with a negative one's message.
        this.delayMillis = millis == null ? Double.NaN : Double.isNaN(millis) ? -1 : millis;
        return this;
    }

    /** Adds a shared-risk link group by its name. */
    public LinkFields group(String name) {
        groups.add(name);
        return this;
    }

    /** Says whether it leads from its source to its target only, whatever the file says of all links. */
    public LinkFields oneWay(boolean only) {
        this.oneWay = only;
        return this;
    }

    /**
     * Takes an attribute by its name, if it is one of a link: {@code capacityMbps}, {@code key}, {@code delayMillis},
     * {@code srlg} with commas between the names, or one of the Internet Topology Zoo's: {@code LinkSpeedRaw} in bit/s, or
     * {@code LinkSpeed} with {@code LinkSpeedUnits}.
     *
     * @param name  its name; not null
     * @param value its value; not null
     * @return whether it is one of these
     * @throws IllegalArgumentException if the value is none of such an attribute; the message says of which
     */
    public boolean attribute(String name, String value) {
        switch (name) {
            case "capacityMbps":
                mbps = number(name, value);
                return true;
            case "LinkSpeedRaw":
                rawMbps = number(name, value) / BITS_PER_MEGABIT;
                return true;
            case "LinkSpeed":
                speed = value.trim();
                return true;
            case "LinkSpeedUnits":
                units = value.trim();
                return true;
            case "key":
                key = value;
                return true;
            case "delayMillis":
                delayMillis(number(name, value));
                return true;
            case "srlg":
                for (String group : value.split(",")) {
                    if (!group.isBlank()) {
                        group(group.trim());
                    }
                }
                return true;
            default:
                return false;
        }
    }

    /**
     * Returns the capacity in Mbit/s: {@code capacityMbps}, else {@code LinkSpeedRaw}, else {@code LinkSpeed} in its units.
     *
     * @return null if the file gives none
     * @throws IllegalArgumentException if there is a speed alone that cannot be read
     */
    Double mbps() {
        if (mbps != null || rawMbps != null) {
            return mbps != null ? mbps : rawMbps;
        }
        if (speed == null || speed.isEmpty()) {
            return null;
        }
        return number("LinkSpeed", speed) * megabits(units == null ? "" : units);
    }

    private static double megabits(String unit) {
        switch (unit.isEmpty() ? "" : unit.substring(0, 1).toUpperCase(Locale.ROOT)) {
            case "K":
                return 1 / KILOBITS_PER_MEGABIT;
            case "M":
                return 1;
            case "G":
                return KILOBITS_PER_MEGABIT;
            case "T":
                return KILOBITS_PER_MEGABIT * KILOBITS_PER_MEGABIT;
            default:
                throw new IllegalArgumentException("has LinkSpeedUnits '" + unit + "'; there are K, M, G and T, of bit/s");
        }
    }

    private static double number(String field, String value) {
        try {
            return Double.parseDouble(value.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("has " + field + " '" + value + "', which is no number", e);
        }
    }
}
