// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.subflow.mptcp.path.topology.FatTree;
import org.subflow.mptcp.path.topology.Gabriel;
import org.subflow.mptcp.path.topology.NodeLinkReader;
import org.subflow.mptcp.path.topology.RandomGeometric;
import org.subflow.mptcp.path.topology.Topologies;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.Waxman;
import org.subflow.mptcp.plan.file.FileDemand;
import org.subflow.mptcp.plan.file.LiveNetwork;
import org.subflow.mptcp.plan.file.TopologyFile;

/** Finds topologies: by name, in a file, or of a controller. */
public final class TopologySource {
    /** The names of topologies, for messages. */
    public static final List<String> NAMES = List.of("diamond", "dual-homed", "edge", "fig1", "fig2b", "firewall", "parallel",
            "routed", "sheu8", "os3e", "cernet", "fattreeK (K even)", "fattree4-dual", "waxmanN (N = 10, 20 … 50)", "geometricN", "gabrielN");

    /** Capacity of the links of named topologies that have none of their own, in Mbit/s: that of the testbed's links. */
    private static final double NAMED_MBPS = 10;
    /** The testbed's topologies, as {@code ./lab demo} takes them; they are packed into the planner's jar as they are. */
    private static final List<String> TESTBED = List.of("diamond", "dual-homed", "edge", "fattree4-dual", "fig1", "fig2b",
                                                        "firewall", "parallel", "routed");
    private static final Pattern GENERATED = Pattern.compile("(fattree|waxman|geometric|gabriel)([0-9]{1,4})");
    /** The field and the range of Gómez et al., in metres. */
    private static final double SIDE = 100;
    private static final double RANGE = 20;

    private final double capacityMbps;
    private final long seed;

    /**
     * Makes a source.
     *
     * @param capacityMbps capacity of links that give none, in Mbit/s; not a number to refuse these
     * @param seed         of random topologies
     */
    public TopologySource(double capacityMbps, long seed) {
        this.capacityMbps = capacityMbps;
        this.seed = seed;
    }

    /**
     * Finds a topology, with the demands that its file has.
     *
     * @param nameOrFile a name, a file's path, or a controller's address
     * @return both; no demands for a name
     * @throws InputException if there is no such name or file, or it is not a topology
     */
    public TopologyFile find(String nameOrFile) {
        try {
            if (LiveNetwork.isAddress(nameOrFile)) {
                return LiveNetwork.read(nameOrFile, capacityMbps, System.getenv());
            }
            Topology named = named(nameOrFile);
            return named != null ? new TopologyFile(named, List.of())
                    : TopologyFile.read(nameOrFile, existing(nameOrFile), capacityMbps);
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage(), e);
        } catch (IOException e) {
            throw new InputException(nameOrFile + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the demands of a file in SNDlib's forms or REPETITA's.
     *
     * @param file its path; not null
     * @return its demands; null if it is in another form, or cannot be read, which whoever reads that form will say
     * @throws InputException if it is wrong; the message names the place
     */
    public static List<FileDemand> demands(String file) {
        try {
            return TopologyFile.demands(file, Path.of(file));
        } catch (IOException | InvalidPathException e) {
            return null;
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage(), e);
        }
    }

    private Topology named(String name) throws IOException {
        double mbps = Double.isNaN(capacityMbps) ? NAMED_MBPS : capacityMbps;
        double capacity = mbps * 1e6;
        switch (name) {
            case "sheu8":
                return Topologies.sheu8();
            case "os3e":
                return Topologies.os3e(capacity);
            case "cernet":
                return Topologies.cernet(capacity);
            default:
        }
        if (TESTBED.contains(name)) {
            try (InputStream in = TopologySource.class.getResourceAsStream("topologies/" + name + ".json")) {
                return in == null ? null : NodeLinkReader.read(name, in, mbps);
            }
        }
        Matcher generated = GENERATED.matcher(name);
        return generated.matches() ? generate(generated.group(1), Integer.parseInt(generated.group(2)), capacity) : null;
    }

    private Topology generate(String kind, int size, double capacity) {
        switch (kind) {
            case "fattree":
                return FatTree.of(size, capacity);
            case "waxman":
                return Waxman.sheu(size, capacity, seed);
            case "gabriel":
                return Gabriel.draw(size, capacity, seed);
            default:
                return RandomGeometric.draw(size, SIDE, RANGE, capacity, seed);
        }
    }

    private static Path existing(String file) {
        try {
            Path path = Path.of(file);
            if (Files.exists(path) && !Files.isDirectory(path)) {
                return path;
            }
        } catch (InvalidPathException e) {
            // The exception below serves: no file can have such a name.
        }
        throw new InputException("no topology '" + file + "': give a file (" + TopologyFile.FORMS + "), or one of "
                + String.join(", ", NAMES) + Nearest.told(file, NAMES));
    }
}
