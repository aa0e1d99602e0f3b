// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

/** The input is wrong. The message is one line for the user, which names the place and the error. */
public final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Makes one with the line for the user. */
    public InputException(String message) {
        super(message);
    }

    /** Makes one with the line for the user, and what it comes from. */
    public InputException(String message, Throwable cause) {
        super(message, cause);
    }
}
