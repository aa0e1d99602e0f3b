// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The form of a file, told from how it begins. */
enum FileKind {
    NODE_LINK, ONOS, MINI_EDIT, GRAPH_ML, GML, SNDLIB, SNDLIB_NATIVE, REPETITA, REPETITA_DEMANDS, UNKNOWN;

    /** How far the beginning of a file goes, in octets. */
    private static final int BEGINNING = 8192;
    private static final Pattern ROOT = Pattern.compile("<(?:[\\w.-]+:)?([A-Za-z][\\w.-]*)[\\s/>]");
    private static final Pattern GML_GRAPH = Pattern.compile("(?:^|\\s)graph\\s*\\[");
    private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");

    static FileKind of(Path file) throws IOException {
        String text;
        try (InputStream in = Files.newInputStream(file)) {
            text = ascii(in.readNBytes(BEGINNING));
        }
        if (text.startsWith("{")) {
            return ofJson(file);
        }
        if (text.startsWith("<")) {
            Matcher root = ROOT.matcher(COMMENT.matcher(text).replaceAll(""));
            return root.find() && root.group(1).equals("network") ? SNDLIB : GRAPH_ML;
        }
        if (text.startsWith("?SNDlib")) {
            return SNDLIB_NATIVE;
        }
        if (text.startsWith("NODES") || text.startsWith("DEMANDS")) {
            return text.startsWith("NODES") ? REPETITA : REPETITA_DEMANDS;
        }
        // Of these forms, GML alone may begin with a comment.
        return text.startsWith("#") || GML_GRAPH.matcher(text).find() ? GML : UNKNOWN;
    }

    /** Returns the ASCII characters of a beginning in whatever encoding, without white space at the front. */
    private static String ascii(byte[] octets) {
        StringBuilder text = new StringBuilder();
        for (byte octet : octets) {
            if (octet > 0) {
                text.append((char) octet);
            }
        }
        return text.toString().strip();
    }

    /** Reads of a document in JSON as much as tells whose it is. */
    private static FileKind ofJson(Path file) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(Files.newInputStream(file))) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.getCurrentName();
                JsonToken value = json.nextToken();
                if (field.equals("nodes") || field.equals("edges")) {
                    return NODE_LINK;
                }
                if (field.equals("switches") && value == JsonToken.START_ARRAY || field.equals("application")) {
                    return MINI_EDIT;
                }
                if (field.equals("links")) {
                    return value == JsonToken.START_OBJECT ? ONOS : ofLinks(json);
                }
                if (field.equals("devices")) {
                    return ONOS;
                }
                json.skipChildren();
            }
        } catch (JsonProcessingException e) {
            // The reader of node-link JSON says what is wrong, and where.
        }
        return NODE_LINK;
    }

    private static FileKind ofLinks(JsonParser json) throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            return NODE_LINK;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.getCurrentName();
            JsonToken value = json.nextToken();
            if (field.equals("src") || field.equals("dst") || field.equals("dest")) {
                return value == JsonToken.START_OBJECT ? ONOS : MINI_EDIT;
            }
            if (field.equals("source")) {
                return isPort(json.getText()) ? ONOS : NODE_LINK;
            }
            json.skipChildren();
        }
        return NODE_LINK;
    }

    /** Says whether text names a port of a switch as ONOS does: {@code of:0000000000000001/3}. */
    private static boolean isPort(String text) {
        return text.matches("of:[0-9a-f]{16}/.+");
    }
}
