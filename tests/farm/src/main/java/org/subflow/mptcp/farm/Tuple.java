// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

/** IPv4 addresses and TCP ports of a subflow, as its sender in one direction has them. Immutable. */
record Tuple(int source, int destination, int sourcePort, int destinationPort) {

    Tuple reversed() {
        return new Tuple(destination, source, destinationPort, sourcePort);
    }

    @Override
    public int hashCode() {
        long mixed = ((long) source << 32 ^ destination & 0xffffffffL) * 0x9e3779b97f4a7c15L
                ^ ((long) sourcePort << 16 | destinationPort) * 0xd6e8feb86659fd93L;
        return (int) (mixed ^ mixed >>> 32);
    }
}
