// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.List;
import org.onlab.packet.IpAddress;

/** What is stored of a host with an agent: the hash of its token, and its addresses. Immutable. */
public final class AgentRecord {
    /** Octets of a hash, SHA-256. */
    public static final int HASH_LENGTH = 32;
    /** Most addresses of a host. */
    public static final int MOST_ADDRESSES = 16;

    private final byte[] hash;
    private final ImmutableList<IpAddress> addresses;

    /**
     * Makes a record.
     *
     * @param hash      the SHA-256 of the token, 32 octets; not null
     * @param addresses all addresses of the host, the one by which it is registered first; 1 to 16
     * @throws IllegalArgumentException if hash or list have another size
     */
    public AgentRecord(byte[] hash, List<IpAddress> addresses) {
        checkArgument(hash.length == HASH_LENGTH, "a hash has no %s octets", hash.length);
        checkArgument(!addresses.isEmpty() && addresses.size() <= MOST_ADDRESSES, "a host has 1 to %s addresses, not %s",
                      MOST_ADDRESSES, addresses.size());
        this.hash = hash.clone();
        this.addresses = ImmutableList.copyOf(addresses);
    }

    /** Returns a copy of the token's hash. */
    public byte[] hash() {
        return hash.clone();
    }

    /** Returns all addresses of the host, the one by which it is registered first. */
    public List<IpAddress> addresses() {
        return addresses;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AgentRecord && Arrays.equals(((AgentRecord) other).hash, hash)
                && ((AgentRecord) other).addresses.equals(addresses);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(hash) + addresses.hashCode();
    }
}
