// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.onlab.packet.IpAddress;

/**
 * The form of hosts with agents, by address: the hash of the token, 32 octets, then the number of addresses, 8 bits, and the
 * addresses. Stateless.
 */
public final class AgentForm implements Form<IpAddress, AgentRecord> {
    @Override
    public byte number() {
        return 1;
    }

    @Override
    public String text(IpAddress host) {
        return host.toString();
    }

    @Override
    public IpAddress key(String text) {
        IpAddress host = IpAddress.valueOf(text);
        checkArgument(host.toString().equals(text), "the address is not as we write it");
        return host;
    }

    @Override
    public void write(AgentRecord record, RecordWriter to) {
        for (byte octet : record.hash()) {
            to.number8(octet);
        }
        to.number8(record.addresses().size());
        record.addresses().forEach(to::address);
    }

    @Override
    public AgentRecord read(IpAddress host, ByteBuffer from) {
        byte[] hash = new byte[AgentRecord.HASH_LENGTH];
        from.get(hash);
        List<IpAddress> addresses = new ArrayList<>();
        for (int left = from.get(); left > 0; left--) {
            addresses.add(RecordWriter.address(from));
        }
        checkArgument(!addresses.isEmpty() && addresses.get(0).equals(host), "the first address is another host's");
        return new AgentRecord(hash, addresses);
    }
}
