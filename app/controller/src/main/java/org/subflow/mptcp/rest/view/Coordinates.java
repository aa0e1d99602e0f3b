// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.Annotations;
import org.onosproject.net.Device;

/** Where a switch stands: on the map, in degrees, and on a grid, to the right and down. Both coordinates or none. Immutable. */
final class Coordinates {
    private static final double MOST_LATITUDE = 90;
    private static final double MOST_LONGITUDE = 180;

    /** Null without an annotation for it. */
    private final Annotations annotations;

    private Coordinates(Annotations annotations) {
        this.annotations = annotations;
    }

    /**
     * Reads a switch's annotations {@code latitude} and {@code longitude}, {@code gridX} and {@code gridY}. ONOS writes them from
     * its network configuration, by {@code locType}, and providers may write them, too.
     *
     * @param device the switch; null if ONOS does not know it
     * @return its coordinates; none if one is missing, or is no number in its range
     */
    static Coordinates of(Device device) {
        return new Coordinates(device == null ? null : device.annotations());
    }

    /** Writes {@code latitude} and {@code longitude}, {@code gridX} and {@code gridY}, null where there are none. */
    void put(ObjectNode node) {
        put(node, AnnotationKeys.LATITUDE, MOST_LATITUDE, AnnotationKeys.LONGITUDE, MOST_LONGITUDE);
        put(node, AnnotationKeys.GRID_X, Double.MAX_VALUE, AnnotationKeys.GRID_Y, Double.MAX_VALUE);
    }

    private void put(ObjectNode node, String first, double mostOfFirst, String second, double mostOfSecond) {
        Double one = number(first, mostOfFirst);
        Double other = number(second, mostOfSecond);
        boolean isWhole = one != null && other != null;
        node.put(first, isWhole ? one : null).put(second, isWhole ? other : null);
    }

    private Double number(String key, double most) {
        String text = annotations == null ? null : annotations.value(key);
        if (text == null) {
            return null;
        }
        try {
            double number = Double.parseDouble(text);
            return Math.abs(number) <= most ? number : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
