// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;

/** Reads a small JSON object from the body of a request, with bounded work. */
public final class SmallBody {
    private static final int MOST_BYTES = 10_000;
    private static final int MOST_BRACKETS = 100;

    private SmallBody() {
    }

    /**
     * Reads an object.
     *
     * @param mapper reads JSON; not null
     * @param stream the body; not null
     * @param noun   what users call the body, such as "question"; not null
     * @param fields what it has, for the message; not null
     * @return the object
     * @throws IOException              if the body cannot be read
     * @throws IllegalArgumentException if it is not an object, or longer or deeper than it can be
     */
    public static JsonNode read(ObjectMapper mapper, InputStream stream, String noun, String fields) throws IOException {
        return parse(mapper, bytes(stream, MOST_BYTES, noun), MOST_BRACKETS, noun, fields);
    }

    /** Does the same with an object that may be ten times as long. */
    public static JsonNode readLong(ObjectMapper mapper, InputStream stream, String noun, String fields) throws IOException {
        return parse(mapper, bytes(stream, 10 * MOST_BYTES, noun), 10 * MOST_BRACKETS, noun, fields);
    }

    /** Does the same, and takes an empty body for an object without fields. */
    public static JsonNode readIfAny(ObjectMapper mapper, InputStream stream, String noun, String fields) throws IOException {
        byte[] text = bytes(stream, MOST_BYTES, noun);
        return text.length == 0 ? mapper.createObjectNode() : parse(mapper, text, MOST_BRACKETS, noun, fields);
    }

    private static byte[] bytes(InputStream stream, int most, String noun) throws IOException {
        byte[] text = stream.readNBytes(most + 1);
        if (text.length > most) {
            throw new IllegalArgumentException("the " + noun + " is longer than " + most + " bytes");
        }
        return text;
    }

    private static JsonNode parse(ObjectMapper mapper, byte[] text, int mostBrackets, String noun, String fields) {
        if (brackets(text) > mostBrackets) {
            throw new IllegalArgumentException("the " + noun + " is not JSON, or deeper than a " + noun + " can be");
        }
        try {
            JsonNode read = mapper.readTree(text);
            if (read != null && read.isObject()) {
                return read;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("the " + noun + " is not JSON", e);
        }
        throw new IllegalArgumentException("the " + noun + " is an object with " + fields);
    }

    /** Returns how deep JSON can be at most. Jackson's reader goes one call deeper for each bracket, until the stack is full. */
    private static int brackets(byte[] json) {
        int brackets = 0;
        for (byte one : json) {
            if (one == '[' || one == '{') {
                brackets++;
            }
        }
        return brackets;
    }
}
