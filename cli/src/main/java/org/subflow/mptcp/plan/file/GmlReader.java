// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.subflow.mptcp.path.topology.LinkFields;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.TopologyBuilder;

/**
 * Reads GML: pairs of a key and a value, which is a number, a text or a list of pairs in brackets. A node's {@code label} is its
 * label; edges have the attributes of {@link LinkFields#attribute}; {@code directed 1} makes each edge one-way.
 */
final class GmlReader {
    private static final Pattern TOKEN = Pattern.compile("(\\[)|(\\])|\"([^\"]*)\"|([^\\s\\[\\]\"]+)");
    private static final Pattern CHARACTER = Pattern.compile("&(?:#([0-9]{1,7})|(amp|quot|lt|gt|apos));");
    private static final int DEEPEST = 50;

    private final String name;
    private final String text;
    private final Matcher tokens;
    private int line = 1;
    /** Up to where the text has been read. */
    private int at;

    /** A key with its value: text, or a list. */
    private static final class Pair {
        private final String key;
        private final String text;
        private final List<Pair> list;
        private final int line;

        Pair(String key, String text, List<Pair> list, int line) {
            this.key = key;
            this.text = text;
            this.list = list;
            this.line = line;
        }
    }

    private GmlReader(String name, String text) {
        this.name = name;
        this.text = text;
        this.tokens = TOKEN.matcher(text);
    }

    static Topology read(String name, String text, double defaultMbps) {
        GmlReader reader = new GmlReader(name, text);
        for (Pair pair : reader.pairs(0)) {
            if (pair.key.equals("graph") && pair.list != null) {
                return reader.graph(pair.list, new TopologyBuilder(name, "line", defaultMbps));
            }
        }
        throw new IllegalArgumentException(name + ": not GML: there is no graph [ … ]");
    }

    private Topology graph(List<Pair> graph, TopologyBuilder topology) {
        boolean directed = false;
        for (Pair pair : graph) {
            if (pair.key.equals("directed")) {
                directed = "1".equals(pair.text);
            } else if (pair.key.equals("node")) {
                topology.node(field(pair, "id"), optional(pair, "label"), pair.line);
            } else if (pair.key.equals("edge")) {
                topology.link(field(pair, "source"), field(pair, "target"), fields(pair), pair.line);
            }
        }
        return topology.build(directed, true);
    }

    private LinkFields fields(Pair edge) {
        LinkFields fields = new LinkFields();
        for (Pair pair : edge.list) {
            if (pair.text != null) {
                try {
                    fields.attribute(pair.key, pair.text);
                } catch (IllegalArgumentException e) {
                    throw bad(pair.line, "a link " + e.getMessage());
                }
            }
        }
        return fields;
    }

    private String field(Pair of, String key) {
        String found = optional(of, key);
        if (found == null) {
            throw bad(of.line, (of.key.equals("node") ? "a node" : "a link") + " has no " + key);
        }
        return found;
    }

    private String optional(Pair of, String key) {
        if (of.list == null) {
            throw bad(of.line, of.key + " must be a list in brackets");
        }
        return of.list.stream().filter(pair -> pair.key.equals(key) && pair.text != null).map(pair -> pair.text).findFirst()
                .orElse(null);
    }

    /** Reads pairs up to a closing bracket, or to the end of the outermost list. */
    private List<Pair> pairs(int depth) {
        List<Pair> pairs = new ArrayList<>();
        while (true) {
            skip();
            if (depth == 0 && at == text.length()) {
                return pairs;
            }
            next();
            if (tokens.group(2) != null && depth > 0) {
                return pairs;
            }
            String key = tokens.group(4);
            int place = line;
            if (key == null) {
                throw bad(place, "not GML: expected a key, not " + tokens.group().strip());
            }
            next();
            if (tokens.group(1) != null) {
                if (depth == DEEPEST) {
                    throw bad(place, "not GML: lists lie more than " + DEEPEST + " deep");
                }
                pairs.add(new Pair(key, null, pairs(depth + 1), place));
            } else if (tokens.group(2) != null) {
                throw bad(place, "not GML: " + key + " has no value");
            } else {
                pairs.add(new Pair(key, tokens.group(3) == null ? tokens.group(4) : decoded(tokens.group(3)), null, place));
            }
        }
    }

    /** Goes over white space and comments, which begin with # and end with their line. */
    private void skip() {
        boolean isComment = false;
        while (at < text.length() && (isComment || Character.isWhitespace(text.charAt(at)) || text.charAt(at) == '#')) {
            isComment = text.charAt(at) != '\n' && (isComment || text.charAt(at) == '#');
            line += text.charAt(at++) == '\n' ? 1 : 0;
        }
    }

    private void next() {
        skip();
        if (!tokens.region(at, text.length()).lookingAt()) {
            throw bad(line, "not GML: the file ends within a list or a text");
        }
        while (at < tokens.end()) {
            line += text.charAt(at++) == '\n' ? 1 : 0;
        }
    }

    /** Returns a text with its characters in place of their numbers and names. */
    private static String decoded(String text) {
        return CHARACTER.matcher(text).replaceAll(found -> Matcher.quoteReplacement(found.group(1) != null
                ? character(Integer.parseInt(found.group(1))) : named(found.group(2))));
    }

    private static String character(int number) {
        return Character.isValidCodePoint(number) ? Character.toString(number) : "\uFFFD";
    }

    private static String named(String character) {
        switch (character) {
            case "amp":
                return "&";
            case "quot":
                return "\"";
            case "lt":
                return "<";
            case "gt":
                return ">";
            default:
                return "'";
        }
    }

    private IllegalArgumentException bad(int place, String what) {
        return new IllegalArgumentException(name + ", line " + place + ": " + what);
    }
}
