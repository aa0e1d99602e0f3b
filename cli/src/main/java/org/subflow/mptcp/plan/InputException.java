// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

/** The input is wrong; the message is one line that says where and what, for the user as it is. */
final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InputException(String message) {
        super(message);
    }

    InputException(String message, Throwable cause) {
        super(message, cause);
    }
}
