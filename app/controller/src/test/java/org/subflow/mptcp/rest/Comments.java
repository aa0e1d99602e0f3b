// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The Javadoc of a class and of its methods, read from the source by the JDK's own parser. */
final class Comments {
    private static final Path SOURCES = Path.of("src/main/java");

    private final Map<String, Comment> comments = new HashMap<>();

    /** A comment of a method, without markup. */
    static final class Comment {
        private static final Pattern SENTENCE = Pattern.compile("(.*?[.:])(?: (.*))?", Pattern.DOTALL);
        private static final Pattern BLOCK = Pattern.compile("@(\\w+)\\s+(.*?)(?=\\s@\\w+\\s|$)", Pattern.DOTALL);

        private final String markup;
        private final List<String> parameters;

        private Comment(String markup, List<String> parameters) {
            this.markup = markup;
            this.parameters = parameters;
        }

        static Comment of(String markup) {
            return new Comment(markup, List.of());
        }

        private String body() {
            Matcher block = BLOCK.matcher(markup.replaceAll("\\{@(\\w+)", "{%$1"));
            return block.find() ? markup.substring(0, block.start()) : markup;
        }

        /** Returns the first sentence, without its full stop. */
        String summary() {
            Matcher sentence = SENTENCE.matcher(plain(body()));
            return sentence.matches() ? sentence.group(1).replaceAll("[.:]$", "") : plain(body());
        }

        /** Returns everything after the first sentence; perhaps empty. */
        String rest() {
            Matcher sentence = SENTENCE.matcher(plain(body()));
            return sentence.matches() && sentence.group(2) != null ? sentence.group(2) : "";
        }

        /** Returns the words about the result. */
        String returns() {
            return block("return ");
        }

        /** Returns the words about a parameter of the method, the first of which has number 0. */
        String parameter(int number) {
            return block("param " + parameters.get(number) + " ");
        }

        private String block(String begin) {
            String text = markup.replaceAll("\\{@(\\w+)", "{%$1").replaceAll("\\s+", " ");
            int from = text.indexOf("@" + begin);
            if (from < 0) {
                throw new IllegalStateException("there is no @" + begin + "in: " + markup);
            }
            int to = text.indexOf(" @", from + 1);
            return plain(text.substring(from + begin.length() + 1, to < 0 ? text.length() : to).replace("{%", "{@"));
        }

        private static String plain(String markup) {
            String text = markup.replaceAll("\\s+", " ").replaceAll("\\{@link #?([\\w#.]+)\\}", "$1");
            // The body of a code may have braces of its own.
            for (int at = text.indexOf("{@code "); at >= 0; at = text.indexOf("{@code ")) {
                int depth = 1;
                int end = at + 1;
                while (depth > 0) {
                    char one = text.charAt(end++);
                    depth += one == '{' ? 1 : one == '}' ? -1 : 0;
                }
                text = text.substring(0, at) + text.substring(at + 7, end - 1) + text.substring(end);
            }
            return text.replaceAll("</?p>", "").replaceAll("\\s+", " ").trim();
        }
    }

    private Comments() {
    }

    /** Reads the comments of a class and of its methods, which have names of their own. */
    static Comments of(Class<?> type) throws IOException {
        Comments comments = new Comments();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            Path source = SOURCES.resolve(type.getName().replace('.', '/') + ".java");
            JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
                                                          files.getJavaFileObjects(source.toFile()));
            DocTrees trees = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                comments.read(unit, trees);
            }
        }
        return comments;
    }

    private void read(CompilationUnitTree unit, DocTrees trees) {
        new TreePathScanner<Void, Void>() {
            @Override
            public Void visitClass(ClassTree type, Void unused) {
                if (getCurrentPath().getParentPath().getLeaf() != unit) {
                    return null;
                }
                put("", getCurrentPath());
                return super.visitClass(type, null);
            }

            @Override
            public Void visitMethod(MethodTree method, Void unused) {
                put(method.getName().toString(), getCurrentPath(), method.getParameters().stream()
                        .map(parameter -> parameter.getName().toString()).toArray(String[]::new));
                return null;
            }

            private void put(String name, TreePath path, String... parameters) {
                String comment = trees.getDocComment(path);
                if (comment != null) {
                    comments.put(name, new Comment(comment, List.of(parameters)));
                }
            }
        }.scan(unit, null);
    }

    /** Returns the comment of the class, without markup. */
    String ofType() {
        return Comment.plain(ofTypeWithMarkup());
    }

    /** Returns the comment of the class. */
    String ofTypeWithMarkup() {
        return comments.get("").markup.replaceAll("\\s+", " ").trim();
    }

    /** Returns the comment of a method. */
    Comment of(String method) {
        Comment found = comments.get(method);
        if (found == null) {
            throw new IllegalStateException(method + " has no comment");
        }
        return found;
    }
}
