// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import java.util.regex.Pattern;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;

/** The values of a report's fields. Every method refuses what cannot be with an IllegalArgumentException of one line. */
public final class ReportFields {
    /** The longest text of an address with a port. */
    private static final int MOST_CHARACTERS = 60;
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._+-]{0,32}");

    private ReportFields() {
    }

    /** Reads an IP address. */
    public static IpAddress address(String text) {
        try {
            if (text.length() <= MOST_CHARACTERS) {
                return IpAddress.valueOf(text);
            }
        } catch (IllegalArgumentException e) {
            // The message below says enough.
        }
        throw new IllegalArgumentException("'" + shown(text) + "' is no IP address");
    }

    /** Reads a version or the name of a backend: a short word. */
    public static String word(String field, String text) {
        if (!WORD.matcher(text).matches()) {
            throw new IllegalArgumentException(field + " is a word of at most 32 letters, digits, '.', '_', '+' or '-'");
        }
        return text;
    }

    /** Reads a five-tuple from both its ends, each {@code address:port}, an IPv6 address in brackets. */
    public static FiveTuple tuple(String local, String remote) {
        return FiveTuple.parse(local, remote);
    }

    /** Returns a text as a message may have it: short, and in one line. */
    public static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        for (int each = 0; each < Math.min(text.length(), MOST_CHARACTERS); each++) {
            char one = text.charAt(each);
            shown.append(one < ' ' || one > '~' ? '?' : one);
        }
        return shown.toString();
    }
}
