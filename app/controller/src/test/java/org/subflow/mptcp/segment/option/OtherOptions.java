// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.math.BigInteger;

/** Options of which the controller reads the subtype alone, by their octets on the wire. */
public final class OtherOptions {
    private OtherOptions() {
    }

    /** Returns the option whose octets, from the subtype on, are these hexadecimal digits. */
    public static OtherOption of(String hex) {
        String digits = hex.replace(" ", "");
        byte[] body = new byte[digits.length() / 2 - 1];
        for (int i = 0; i < body.length; i++) {
            body[i] = new BigInteger(digits.substring(2 * i + 2, 2 * i + 4), 16).byteValue();
        }
        return new OtherOption(Character.digit(digits.charAt(0), 16), Character.digit(digits.charAt(1), 16), body);
    }

    /** Returns a DSS that acknowledges data, with a number of eight octets. */
    public static OtherOption dss() {
        return of("20 03 000000000000004d");
    }

    /** Returns an MP_FAIL. */
    public static OtherOption fail() {
        return of("60 00 0000000000000001");
    }

    /** Returns an MP_PRIO for the subflow that carries it. */
    public static OtherOption prio(boolean backup) {
        return of(backup ? "51" : "50");
    }
}
