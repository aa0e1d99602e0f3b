// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.codec;

/** A rule, from ONOS or from a switch, has something in it that the other side cannot be told. */
public final class UnsupportedRuleException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Makes one; the message names what is not supported. */
    public UnsupportedRuleException(String message) {
        super(message);
    }
}
