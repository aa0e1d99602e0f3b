// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

/** The input is wrong. The message is one line for the user, which names the place and the error. */
final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InputException(String message) {
        super(message);
    }

    InputException(String message, Throwable cause) {
        super(message, cause);
    }
}
