// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.subflow.mptcp.path.topology.NodeLinkReader;
import org.subflow.mptcp.path.topology.Topology;

/** A file with a network, and perhaps with demands. Immutable. */
public final class TopologyFile {
    /** The forms that are read, for messages. */
    public static final String FORMS = "node-link JSON, GraphML, GML, SNDlib's XML or native form, REPETITA's form, MiniEdit's, "
            + "or links as ONOS or its network configuration has them";
    private static final int BUFFER = 1 << 16;

    /** The network. */
    public final Topology topology;
    /** The demands that the file has; empty if there are none. */
    public final List<FileDemand> demands;

    /**
     * Makes one of what has been read.
     *
     * @param topology the network; not null
     * @param demands  the demands between its nodes; not null
     */
    public TopologyFile(Topology topology, List<FileDemand> demands) {
        this.topology = topology;
        this.demands = List.copyOf(demands);
    }

    /**
     * Reads a file.
     *
     * @param name        what to call it; messages start with that
     * @param file        the file
     * @param defaultMbps capacity of links that give none, in Mbit/s; not a number if each must give one
     * @return what it has; not null
     * @throws IllegalArgumentException if it has no form that is known, or is wrong; the message names the place
     * @throws IOException              if it cannot be read
     */
    public static TopologyFile read(String name, Path file, double defaultMbps) throws IOException {
        switch (FileKind.of(file)) {
            case NODE_LINK:
                try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
                    return of(NodeLinkReader.read(name, in, defaultMbps));
                }
            case GRAPH_ML:
                return of(GraphMlReader.read(name, file, defaultMbps));
            case GML:
                return of(GmlReader.read(name, text(file), defaultMbps));
            case ONOS:
                return of(OnosReader.read(name, JsonTree.read(name, file), defaultMbps));
            case MINI_EDIT:
                return of(MiniEditReader.read(name, JsonTree.read(name, file), defaultMbps));
            case SNDLIB:
                return SndlibReader.read(name, file, defaultMbps);
            case SNDLIB_NATIVE:
                return SndlibNativeReader.read(name, text(file), defaultMbps);
            case REPETITA:
                return of(RepetitaReader.read(name, text(file), defaultMbps));
            case REPETITA_DEMANDS:
                throw new IllegalArgumentException(name + ", line 1: these are demands without a network: give the network by "
                        + "--topology, and this file by --connections");
            default:
                throw new IllegalArgumentException(name + ", line 1: neither " + FORMS);
        }
    }

    /**
     * Reads the demands of a file alone.
     *
     * @param name what to call it; messages start with that
     * @param file the file
     * @return its demands; null if it is in no form that has demands
     * @throws IllegalArgumentException if it is wrong; the message names the place
     * @throws IOException              if it cannot be read
     */
    public static List<FileDemand> demands(String name, Path file) throws IOException {
        switch (FileKind.of(file)) {
            case REPETITA_DEMANDS:
                return RepetitaReader.demands(name, text(file));
            case SNDLIB:
            case SNDLIB_NATIVE:
                // Its links need no capacity for that.
                return read(name, file, 0).demands;
            default:
                return null;
        }
    }

    private static String text(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static TopologyFile of(Topology topology) {
        return new TopologyFile(topology, List.of());
    }
}
