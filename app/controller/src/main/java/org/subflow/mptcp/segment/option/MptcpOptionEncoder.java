// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.util.Arrays;
import java.util.List;

/** Writes MPTCP options as a TCP header carries them. Stateless. */
public final class MptcpOptionEncoder {
    /** Octets that a TCP header has for options. */
    public static final int MAX_OPTIONS = 40;

    private static final byte NO_OPERATION = 1;

    private MptcpOptionEncoder() {
    }

    /**
     * Writes options one after the other, padded with no-operation options to whole 32-bit words.
     *
     * @param options the options, in order
     * @return their octets, a multiple of four; empty for no option
     * @throws IllegalArgumentException if they need more than 40 octets
     */
    public static byte[] encode(List<? extends MptcpOption> options) {
        int length = options.stream().mapToInt(MptcpOption::length).sum();
        int padded = (length + 3) / 4 * 4;
        if (padded > MAX_OPTIONS) {
            throw new IllegalArgumentException("options need " + padded + " octets, a TCP header has " + MAX_OPTIONS);
        }
        byte[] out = new byte[padded];
        Arrays.fill(out, NO_OPERATION);
        int at = 0;
        for (MptcpOption option : options) {
            System.arraycopy(option.toBytes(), 0, out, at, option.length());
            at += option.length();
        }
        return out;
    }
}
