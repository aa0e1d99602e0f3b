// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What a sub-command of {@code ./lab} answers: status 0 and all of it on standard output, or another status and one line on standard
 * error.
 */
@FunctionalInterface
public interface Answer {
    /**
     * Computes the answer.
     *
     * @return what goes to standard output, not null
     * @throws InputException if the input is wrong
     * @throws IOException    if it cannot be computed
     */
    String text() throws IOException;

    /** Returns standard output in UTF-8: names in topologies may be in any script, whatever the locale. */
    static PrintStream standardOutput() {
        return new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    }

    /** Returns standard error in UTF-8. */
    static PrintStream standardError() {
        return new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    }

    /**
     * Computes and prints it.
     *
     * @param command the sub-command's name, for messages; not null
     * @param out     gets the answer, or nothing; not null
     * @param err     gets one line if something is wrong; not null
     * @return the exit status: 0; 2 if the input is wrong; 1 for anything else
     */
    default int print(String command, PrintStream out, PrintStream err) {
        try {
            out.print(text());
            out.flush();
            return out.checkError() ? failed(command, 1, "standard output cannot be written", err) : 0;
        } catch (InputException e) {
            return failed(command, 2, e.getMessage(), err);
        } catch (OutOfMemoryError e) {
            return failed(command, 2, "not enough memory for this topology and so many connections: give the virtual machine more, "
                    + "JDK_JAVA_OPTIONS=-Xmx8g", err);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            return failed(command, 1, "it failed, which is a mistake of its own: " + e, err);
        }
    }

    private static int failed(String command, int status, String message, PrintStream err) {
        err.println("lab: " + command + ": " + message.replaceAll("\\s*[\\r\\n]+\\s*", " "));
        return status;
    }
}
