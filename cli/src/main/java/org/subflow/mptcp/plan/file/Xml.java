// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** XML documents, element by element. DTDs and external entities are not loaded. For one thread. */
final class Xml {
    private static final int DECLARATION = 256;
    private static final Pattern ENCODING = Pattern.compile("^\\s*<\\?xml[^>]*\\sencoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)[\"']");
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private Xml() {
    }

    /** What reads the elements of a document. */
    interface Elements {
        /** Takes the beginning of an element; it may read on, up to the element's end. */
        void begin(XMLStreamReader xml) throws XMLStreamException;

        /** Takes the end of an element; does nothing unless told otherwise. */
        default void end(XMLStreamReader xml) {
        }
    }

    /** Reads a document; {@code form} names what it should be in messages. */
    static void read(String name, Path file, String form, Elements elements) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        // Also what an entity divides is one text.
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try (Reader text = text(file)) {
            XMLStreamReader xml = factory.createXMLStreamReader(text);
            while (xml.hasNext()) {
                int event = xml.next();
                if (event == XMLStreamReader.START_ELEMENT) {
                    elements.begin(xml);
                } else if (event == XMLStreamReader.END_ELEMENT) {
                    elements.end(xml);
                } else if (event == XMLStreamReader.ENTITY_REFERENCE) {
                    throw bad(name, xml, "not " + form + ": an entity that is not declared");
                }
            }
        } catch (XMLStreamException e) {
            throw new IllegalArgumentException(name + ", line " + Math.max(1, e.getLocation() == null ? 1
                    : e.getLocation().getLineNumber()) + ": not " + form + ": " + plain(e), e);
        }
    }

    /** Returns a message about the element at hand. */
    static IllegalArgumentException bad(String name, XMLStreamReader xml, String what) {
        return new IllegalArgumentException(name + ", line " + xml.getLocation().getLineNumber() + ": " + what);
    }

    /** Returns the text in the element at hand and in the elements inside, and goes to its end. */
    static String text(XMLStreamReader xml) throws XMLStreamException {
        StringBuilder text = new StringBuilder();
        int depth = 1;
        while (depth > 0) {
            int event = xml.next();
            if (event == XMLStreamReader.START_ELEMENT) {
                depth++;
            } else if (event == XMLStreamReader.END_ELEMENT) {
                depth--;
            } else if (event == XMLStreamReader.CHARACTERS) {
                text.append(xml.getText());
            } else if (event == XMLStreamReader.ENTITY_REFERENCE) {
                throw new XMLStreamException("an entity that is not declared", xml.getLocation());
            }
        }
        return text.toString().strip();
    }

    /** Opens a file in the encoding that it says. The parser itself would print octets that do not fit it on standard error. */
    private static Reader text(Path file) throws IOException {
        byte[] start;
        try (InputStream in = Files.newInputStream(file)) {
            start = in.readNBytes(DECLARATION);
        }
        BufferedReader text = new BufferedReader(new InputStreamReader(Files.newInputStream(file), encoding(start)));
        text.mark(1);
        if (text.read() != BYTE_ORDER_MARK) {
            text.reset();
        }
        return text;
    }

    private static Charset encoding(byte[] start) {
        if (start.length > 1 && (start[0] == (byte) 0xfe && start[1] == (byte) 0xff
                || start[0] == (byte) 0xff && start[1] == (byte) 0xfe)) {
            return StandardCharsets.UTF_16;
        }
        Matcher said = ENCODING.matcher(new String(start, StandardCharsets.ISO_8859_1).replace("\u00ef\u00bb\u00bf", ""));
        try {
            return said.find() ? Charset.forName(said.group(1)) : StandardCharsets.UTF_8;
        } catch (IllegalArgumentException e) {
            // Unknown encodings are most often like ASCII where it matters.
            return StandardCharsets.UTF_8;
        }
    }

    /** Returns the parser's message without the place, which stands before it on a line of its own. */
    private static String plain(XMLStreamException e) {
        String message = e.getMessage();
        int from = message.indexOf("Message: ");
        return from < 0 ? message.lines().findFirst().orElse("") : message.substring(from + "Message: ".length());
    }
}
