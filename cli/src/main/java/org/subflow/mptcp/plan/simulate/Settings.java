// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.plan.simulate.engine.Parameters;

/** All on which runs depend but their keys: for reports, and to tell whether earlier runs belong to the same comparison. */
final class Settings {
    /** Topologies that are drawn by the seed. */
    private static final Pattern DRAWN = Pattern.compile("(waxman|geometric|gabriel)[0-9]+");

    private final Map<String, String> about = new LinkedHashMap<>();

    /**
     * Collects the settings.
     *
     * @param options     the options
     * @param topology    the network
     * @param connections how many arrive in each run
     */
    Settings(SimulateOptions options, Topology topology, int connections) {
        Parameters parameters = options.parameters;
        put("topology", options.topology);
        if (DRAWN.matcher(options.topology).matches()) {
            put("topology's seed", options.seed);
        }
        put("nodes", topology.graph().nodeCount());
        put("links", topology.graph().linkCount());
        put("connections", connections);
        put("traffic", options.traffic != null ? options.traffic : options.matrix != null ? options.matrix : "drawn");
        put("sizes", options.sizes);
        put("rate", options.rate > 0 ? options.rate + " per second" : "load " + (Double.isNaN(options.load) ? "by default" : options.load));
        put("k", options.k);
        put("manage after", parameters.manageAfterBytes + " bytes or " + parameters.manageAfterSeconds + " s");
        put("plain", parameters.plain);
        put("shares", (parameters.approximate ? "approximate" : "exact")
                + (parameters.step > 0 ? ", every " + parameters.step * 1e3 + " ms" : ", at each change"));
        put("failures", options.failures == null ? "none" : options.failures + ", repaired in " + parameters.repairSeconds + " s");
    }

    private void put(String name, Object value) {
        about.put(name, value.toString());
    }

    /** Returns what people want to know of it: names and values. */
    Map<String, String> about() {
        return about;
    }

    /** Returns everything, with a checksum of each file, a setting in each line. */
    String fingerprint(SimulateOptions options) {
        StringBuilder text = new StringBuilder();
        about.forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
        text.append("capacity: ").append(options.capacityMbps).append("\nends: ").append(options.ends).append("\nhosts: ")
                .append(options.hosts).append("\npayload: ").append(options.parameters.payloadBytes).append("\nsnapshots: ")
                .append(options.parameters.snapshots).append("\nfiles:");
        for (String file : new String[] {options.topology, options.traffic, options.matrix, options.failures, options.sizes.toString()}) {
            text.append(' ').append(checksum(file));
        }
        return text.append('\n').toString();
    }

    /** Returns the checksum of a file; a hyphen for what is none. */
    private static String checksum(String file) {
        try {
            Path path = file == null ? null : Path.of(file);
            if (path == null || !Files.isRegularFile(path)) {
                return "-";
            }
            CRC32 sum = new CRC32();
            sum.update(Files.readAllBytes(path));
            return Long.toHexString(sum.getValue());
        } catch (IOException | InvalidPathException e) {
            return "-";
        }
    }
}
