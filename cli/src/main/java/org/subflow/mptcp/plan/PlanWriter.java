// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.io.IOException;
import java.io.Writer;

/** A form in which a plan is printed. The same plan gives the same text but for the times. */
interface PlanWriter {
    /**
     * Prints a plan.
     *
     * @param plan the plan
     * @param out  where to; not closed
     * @throws IOException if writing fails
     */
    void write(Plan plan, Writer out) throws IOException;

    /**
     * Finds a form.
     *
     * @param format {@code json}, {@code table} or {@code dot}
     * @throws IllegalArgumentException if it is none of these
     */
    static PlanWriter named(String format) {
        switch (format) {
            case "json":
                return new JsonWriter();
            case "table":
                return new TableWriter();
            case "dot":
                return new DotWriter();
            default:
                throw new IllegalArgumentException("no format '" + format + "'; there are json, table and dot");
        }
    }
}
