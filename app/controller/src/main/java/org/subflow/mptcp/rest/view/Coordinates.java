// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.Annotations;
import org.onosproject.net.Device;

/** Where a switch stands on the map, in degrees: both coordinates or none. Immutable. */
final class Coordinates {
    private static final Coordinates NONE = new Coordinates(null, null);
    private static final double MOST_LATITUDE = 90;
    private static final double MOST_LONGITUDE = 180;

    private final Double latitude;
    private final Double longitude;

    private Coordinates(Double latitude, Double longitude) {
        this.latitude = latitude;
        this.longitude = longitude;
    }

    /**
     * Reads a switch's annotations {@code latitude} and {@code longitude}. ONOS writes them from its network configuration,
     * and providers may write them, too.
     *
     * @param device the switch; null if ONOS does not know it
     * @return its coordinates; none if one is missing, or is no number in its range
     */
    static Coordinates of(Device device) {
        if (device == null) {
            return NONE;
        }
        Double latitude = degrees(device.annotations(), AnnotationKeys.LATITUDE, MOST_LATITUDE);
        Double longitude = degrees(device.annotations(), AnnotationKeys.LONGITUDE, MOST_LONGITUDE);
        return latitude == null || longitude == null ? NONE : new Coordinates(latitude, longitude);
    }

    private static Double degrees(Annotations annotations, String key, double most) {
        String text = annotations.value(key);
        if (text == null) {
            return null;
        }
        try {
            double degrees = Double.parseDouble(text);
            return Math.abs(degrees) <= most ? degrees : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Writes {@code latitude} and {@code longitude}, null where there are none. */
    void put(ObjectNode node) {
        node.put("latitude", latitude).put("longitude", longitude);
    }
}
