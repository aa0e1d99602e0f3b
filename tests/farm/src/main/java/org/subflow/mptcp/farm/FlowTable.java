// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The rules of a switch, of all its tables. Those of subflows and of paths are found by what they match. */
final class FlowTable {
    /** A reply to a request for flow statistics is cut into messages of so many bytes at most: their length has 16 bits. */
    private static final int MOST_REPLY_BYTES = 60_000;

    private static final int REPLY_HEADER = 16;
    private static final int MULTIPART_REPLY = 19;
    private static final int FLOW = 1;
    private static final int MORE = 1;
    /** About the size of a full frame: how many packets the bytes of a rule are. */
    private static final int PACKET_BYTES = 1500;

    private static final int QUIET_PRIORITY = 30;
    /** Of the application's rules of subflows; those of paths have more, and plain forwarding less. */
    private static final int SUBFLOW_PRIORITY = 110;

    private final Map<Rule.Place, Rule> rules = new LinkedHashMap<>();
    private final Map<Tuple, Rule> byTuple = new HashMap<>();
    private final Map<Long, Rule> byLabel = new HashMap<>();
    private final Map<Integer, Rule> quiet = new HashMap<>();
    private final Map<Rule.Place, Rule> copying = new HashMap<>();

    Collection<Rule> rules() {
        return rules.values();
    }

    boolean has(Rule rule) {
        return rules.get(rule.place()) == rule;
    }

    /** Adds a rule, or puts it in the place of another. */
    void add(Rule rule) {
        Rule before = rules.put(rule.place(), rule);
        if (before != null) {
            rule.replace(before);
            unindex(before);
        }
        if (isOfFirstTable(rule)) {
            if (rule.place().priority() == QUIET_PRIORITY) {
                quiet.put(rule.inPort(), rule);
            } else if (rule.isToController()) {
                copying.put(rule.place(), rule);
            }
        } else if (rule.tuple() != null && rule.out() > 0) {
            byTuple.put(rule.tuple(), rule);
        } else if (rule.tuple() == null && rule.inPort() > 0 && rule.ethernetDestination() != 0 && rule.out() > 0) {
            byLabel.put(label(rule.inPort(), rule.ethernetDestination()), rule);
        }
    }

    /** {@return the rule that was in this place, which has gone; null if there was none} */
    Rule remove(Rule.Place place) {
        Rule gone = rules.remove(place);
        if (gone != null) {
            unindex(gone);
        }
        return gone;
    }

    /** {@return the rules of a table, or of all with {@code 0xff}; all have gone} */
    List<Rule> clear(int table) {
        List<Rule> gone = new ArrayList<>();
        rules.values().stream().filter(rule -> table == 0xff || rule.place().table() == table).forEach(gone::add);
        gone.forEach(rule -> remove(rule.place()));
        return gone;
    }

    private void unindex(Rule rule) {
        if (rule.tuple() != null) {
            byTuple.remove(rule.tuple(), rule);
        }
        byLabel.remove(label(rule.inPort(), rule.ethernetDestination()), rule);
        quiet.remove(rule.inPort(), rule);
        copying.remove(rule.place(), rule);
    }

    /** {@return the rule that sends on a packet of a subflow; null if there is none but plain forwarding} */
    Rule forward(int inPort, long destination, Tuple tuple) {
        Rule path = byLabel.get(label(inPort, destination));
        if (path != null && path.place().priority() > SUBFLOW_PRIORITY) {
            return path;
        }
        Rule exact = byTuple.get(tuple);
        return exact != null && (exact.inPort() == 0 || exact.inPort() == inPort)
                && (exact.ethernetDestination() == 0 || exact.ethernetDestination() == destination) ? exact : null;
    }

    /** {@return the rule that copies segments with SYN, FIN or RST which come in at a port; null if there is none} */
    Rule copies(int inPort) {
        return copying.isEmpty() || quiet.containsKey(inPort) ? null : copying.values().iterator().next();
    }

    private static boolean isOfFirstTable(Rule rule) {
        return rule.place().table() == 0;
    }

    private static long label(int inPort, long destination) {
        return (long) inPort << 48 ^ destination;
    }

    /**
     * {@return the messages that answer a request for flow statistics}
     *
     * @param table  the one that is asked for; {@code 0xff} for all
     * @param cookie with {@code mask}, the cookies that are asked for
     * @param bytes  how many bytes a rule has counted
     */
    List<byte[]> statistics(long xid, int table, long cookie, long mask, ToLongFunction<Rule> bytes, long now) {
        List<byte[]> messages = new ArrayList<>();
        ByteBuffer out = begin();
        for (Rule rule : rules.values()) {
            if ((table == 0xff || table == rule.place().table()) && (rule.cookie() & mask) == (cookie & mask)) {
                if (out.position() + rule.entryLength() > MOST_REPLY_BYTES) {
                    messages.add(end(out, xid, MORE));
                    out = begin();
                }
                long counted = bytes.applyAsLong(rule);
                rule.writeEntry(out, (counted + PACKET_BYTES - 1) / PACKET_BYTES, counted, now);
            }
        }
        messages.add(end(out, xid, 0));
        return messages;
    }

    private static ByteBuffer begin() {
        return ByteBuffer.allocate(MOST_REPLY_BYTES).position(REPLY_HEADER);
    }

    private static byte[] end(ByteBuffer out, long xid, int flags) {
        int length = out.position();
        out.put(0, (byte) 4).put(1, (byte) MULTIPART_REPLY).putShort(2, (short) length).putInt(4, (int) xid);
        out.putShort(8, (short) FLOW).putShort(10, (short) flags).putInt(12, 0);
        byte[] message = new byte[length];
        out.get(0, message);
        return message;
    }
}
