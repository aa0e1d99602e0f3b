// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.token;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.segment.option.MptcpVersion;

/** Who owns a token. */
class TokenTableTest {
    private static final long KEY = 42;
    private static final Token TOKEN = Keys.token(MptcpVersion.V0, KEY);

    private final TokenTable table = new TokenTable();

    private static FiveTuple tuple(int port, String server) {
        return FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf(server), 80);
    }

    /** A connection whose listener has the key that all have. */
    private static ConnectionKeys keys(int number) {
        return new ConnectionKeys(MptcpVersion.V0, OptionalLong.of(1000 + number), OptionalLong.of(KEY));
    }

    private List<FiveTuple> owners() {
        return table.find(TOKEN).stream().map(owner -> owner.connection).collect(Collectors.toList());
    }

    @Test
    void theNewestOwnersOfATokenAreRefusedAtAnAddressAndInAll() {
        List<FiveTuple> first = new ArrayList<>();
        for (int server = 1; server <= 20; server++) {
            for (int number = 0; number < 100; number++) {
                FiveTuple tuple = tuple(1000 + number, "10.0.1." + server);
                table.register(tuple, keys(100 * server + number));
                if (first.size() < TokenTable.MOST && number < TokenTable.MOST_AT_AN_ADDRESS) {
                    first.add(tuple);
                }
            }
        }
        assertEquals(first, owners());
        assertEquals(2000, table.size(), "their other tokens count");
        assertEquals(1, table.find(Keys.token(MptcpVersion.V0, 1000 + 2099)).size());
    }

    @Test
    void whoLeavesMakesRoom() {
        for (int number = 0; number < 10; number++) {
            table.register(tuple(1000 + number, "10.0.1.1"), keys(number));
        }
        table.remove(tuple(1009, "10.0.1.1"));
        assertEquals(TokenTable.MOST_AT_AN_ADDRESS, owners().size(), "that one was refused");
        table.remove(tuple(1000, "10.0.1.1"));
        table.register(tuple(2000, "10.0.1.1"), keys(20));
        assertEquals(List.of(tuple(1001, "10.0.1.1"), tuple(1002, "10.0.1.1"), tuple(1003, "10.0.1.1"), tuple(2000, "10.0.1.1")), owners());
    }
}
