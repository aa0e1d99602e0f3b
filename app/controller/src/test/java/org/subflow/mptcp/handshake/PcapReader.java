// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads the Ethernet captures among the test resources (classic pcap, microseconds, little endian). */
final class PcapReader {
    private static final int MAGIC = 0xa1b2c3d4;
    private static final int ETHERNET = 1;

    private PcapReader() {
    }

    /** A frame and when it was captured, in nanoseconds. */
    static final class Frame {
        final long nanos;
        final byte[] octets;

        private Frame(long nanos, byte[] octets) {
            this.nanos = nanos;
            this.octets = octets;
        }
    }

    static List<Frame> read(String resource) throws IOException {
        try (InputStream in = PcapReader.class.getResourceAsStream("/pcap/" + resource)) {
            ByteBuffer file = ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
            if (file.getInt(0) != MAGIC || file.getInt(20) != ETHERNET) {
                throw new IOException(resource + " is no little-endian Ethernet capture in microseconds");
            }
            file.position(24);
            List<Frame> frames = new ArrayList<>();
            while (file.hasRemaining()) {
                long nanos = TimeUnit.SECONDS.toNanos(file.getInt()) + TimeUnit.MICROSECONDS.toNanos(file.getInt());
                byte[] octets = new byte[file.getInt()];
                file.getInt();
                file.get(octets);
                frames.add(new Frame(nanos, octets));
            }
            return frames;
        }
    }
}
