// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.ReportedConnection;
import org.subflow.mptcp.host.report.ReportedSubflow;
import org.subflow.mptcp.rest.request.ReportFields;

/**
 * Reads agents' reports. Hosts may send anything: a report is taken as a whole or refused with one line, in a time that
 * grows with its length alone. Fields that are not known are skipped, so that newer agents can say more.
 */
final class ReportReader {
    private static final int MOST_DEPTH = 16;
    /** No number that an agent means is longer. The time to convert a number grows faster than its length. */
    private static final int MOST_DIGITS = 40;
    private static final double BITS_PER_MEGABIT = 1e6;
    /** Nothing of one report stays for the next, whatever names its fields have. */
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final JsonParser parser;

    private ReportReader(JsonParser parser) {
        this.parser = parser;
    }

    /** Reads the value of a field that is known. */
    private interface Fields {
        /** Returns whether it knows the field, whose value has begun and is then read. */
        boolean read(String name) throws IOException;
    }

    /**
     * Reads a report.
     *
     * @param json the text; not null
     * @return the report
     * @throws IllegalArgumentException if it is no report, with a message of one line
     */
    static Report read(byte[] json) {
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            Report report = new ReportReader(parser).report();
            require(parser.nextToken() == null, "something follows the report");
            return report;
        } catch (IOException | IllegalStateException e) {
            throw new IllegalArgumentException("the report is not JSON, or not to its end", e);
        }
    }

    private Report report() throws IOException {
        String[] words = {"", "", ""};
        long[] waitMillis = {0};
        OptionalLong[] since = {OptionalLong.empty()};
        List<ReportedConnection> connections = new ArrayList<>();
        object("the report", name -> {
            switch (name) {
                case "version":
                    words[0] = ReportFields.word(name, text(name));
                    return true;
                case "backend":
                    words[1] = ReportFields.word(name, text(name));
                    return true;
                case "pathManager":
                    words[2] = ReportFields.word(name, text(name));
                    return true;
                case "since":
                    since[0] = parser.currentToken() == JsonToken.VALUE_NULL ? OptionalLong.empty() : OptionalLong.of(whole(name));
                    return true;
                case "waitMillis":
                    waitMillis[0] = whole(name);
                    return true;
                case "connections":
                    array(name, Report.MOST_CONNECTIONS, () -> connections.add(connection()));
                    return true;
                default:
                    return false;
            }
        });
        require(waitMillis[0] >= 0, "waitMillis is 0 or more");
        return new Report(words[0], words[1], since[0], waitMillis[0], connections, words[2].equals("user"));
    }

    private ReportedConnection connection() throws IOException {
        List<ReportedSubflow> subflows = new ArrayList<>();
        boolean[] flags = {false, false, false};
        object("a connection", name -> {
            switch (name) {
                case "subflows":
                    array(name, Report.MOST_SUBFLOWS, () -> subflows.add(subflow()));
                    return true;
                case "ended":
                    flags[0] = flag(name);
                    return true;
                case "applicationLimited":
                    flags[1] = flag(name);
                    return true;
                case "addable":
                    flags[2] = flag(name);
                    return true;
                default:
                    return false;
            }
        });
        return new ReportedConnection(subflows, flags[0], flags[1], flags[2]);
    }

    private ReportedSubflow subflow() throws IOException {
        String[] words = {"", "", ""};
        double[] delivery = {0};
        List<Boolean> backup = new ArrayList<>();
        object("a subflow", name -> {
            switch (name) {
                case "local":
                    words[0] = text(name);
                    return true;
                case "remote":
                    words[1] = text(name);
                    return true;
                case "limited":
                    words[2] = text(name);
                    return true;
                case "deliveryMbps":
                    delivery[0] = BITS_PER_MEGABIT * number(name);
                    return true;
                case "backup":
                    backup.add(flag(name));
                    return true;
                default:
                    return false;
            }
        });
        require(delivery[0] >= 0 && delivery[0] <= Report.MOST_BITS_PER_SECOND, "deliveryMbps is from 0 to 1000000");
        return new ReportedSubflow(ReportFields.tuple(words[0], words[1]), delivery[0], words[2].equals("network"),
                                   backup.stream().findFirst());
    }

    /** Reads the fields of an object that has begun. */
    private void object(String what, Fields fields) throws IOException {
        require(parser.currentToken() == JsonToken.START_OBJECT, what + " is an object");
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.getCurrentName();
            require(parser.currentToken() == JsonToken.FIELD_NAME, "the report is not to its end");
            parser.nextToken();
            if (!fields.read(name)) {
                skip();
            }
        }
    }

    /** Reads one element of an array. */
    private interface Element {
        void read() throws IOException;
    }

    /** Reads the elements of an array that has begun. */
    private void array(String name, int most, Element element) throws IOException {
        require(parser.currentToken() == JsonToken.START_ARRAY, name + " is a list");
        for (int number = 0; parser.nextToken() != JsonToken.END_ARRAY; number++) {
            require(number < most, name + " has more than " + most + " elements");
            element.read();
        }
    }

    /** Passes over a value that has begun. */
    private void skip() throws IOException {
        int depth = 0;
        while (true) {
            JsonToken token = parser.currentToken();
            require(token != null, "the report is not to its end");
            depth += token.isStructStart() ? 1 : 0;
            depth -= token.isStructEnd() ? 1 : 0;
            require(depth <= MOST_DEPTH, "the report is deeper than a report can be");
            if (depth == 0) {
                return;
            }
            parser.nextToken();
        }
    }

    private String text(String name) throws IOException {
        require(parser.currentToken() == JsonToken.VALUE_STRING, name + " is a text");
        return parser.getText();
    }

    private boolean flag(String name) {
        JsonToken token = parser.currentToken();
        require(token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE, name + " is true or false");
        return token == JsonToken.VALUE_TRUE;
    }

    private long whole(String name) throws IOException {
        boolean isWhole = parser.currentToken() == JsonToken.VALUE_NUMBER_INT && parser.getTextLength() <= MOST_DIGITS;
        require(isWhole, name + " is a whole number");
        try {
            return Long.parseLong(parser.getText());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is a whole number of 64 bits", e);
        }
    }

    private double number(String name) throws IOException {
        JsonToken token = parser.currentToken();
        boolean isNumber = token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT;
        require(isNumber && parser.getTextLength() <= MOST_DIGITS, name + " is a number of at most " + MOST_DIGITS + " digits");
        return Double.parseDouble(parser.getText());
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
