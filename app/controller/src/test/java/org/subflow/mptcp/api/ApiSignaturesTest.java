// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * What other applications compile against changes only on purpose: the public signatures are those of a file that reviewers
 * read. To accept a change, write the file anew:
 *
 * <pre>mvn test -pl app/controller -am -Dtest=ApiSignaturesTest -Dsurefire.failIfNoSpecifiedTests=false -Dapi.accept</pre>
 */
class ApiSignaturesTest {
    private static final Path FILE = Path.of("src/test/resources/api-signatures.txt");
    private static final String PACKAGE = "org.subflow.mptcp.api";

    @Test
    void publicSignaturesAreThoseOfTheFile() throws IOException {
        String now = String.join("\n", signatures()) + "\n";
        if (System.getProperty("api.accept") != null) {
            Files.writeString(FILE, now);
        }
        assertEquals(Files.readString(FILE), now, "the public API has changed; if that is meant, say so in CHANGELOG.md and run "
                + "mvn test -pl app/controller -am -Dtest=ApiSignaturesTest -Dsurefire.failIfNoSpecifiedTests=false -Dapi.accept");
    }

    @Test
    void showsNestedTypesAndTypeArguments() {
        String all = String.join("\n", signatures());
        assertTrue(all.contains("class policy.Policy$Builder"), all);
        assertTrue(all.contains("java.util.List<Subflow>"), all);
    }

    /** Returns a line for each visible type, with its visible members below it. */
    private static List<String> signatures() {
        List<String> lines = new ArrayList<>();
        new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages(PACKAGE).stream()
                .filter(type -> type.getPackageName().startsWith(PACKAGE))
                .map(JavaClass::reflect)
                .filter(ApiSignaturesTest::isVisible)
                .sorted((one, other) -> one.getName().compareTo(other.getName()))
                .forEach(type -> {
                    lines.add(header(type));
                    lines.addAll(visible(type.getDeclaredFields(), Field::toGenericString));
                    lines.addAll(visible(type.getDeclaredConstructors(), Constructor::toGenericString));
                    lines.addAll(visible(type.getDeclaredMethods(), Method::toGenericString));
                });
        lines.replaceAll(line -> line.replace(PACKAGE + ".", ""));
        return lines;
    }

    private static String header(Class<?> type) {
        StringBuilder header = new StringBuilder(type.toGenericString());
        if (type.getGenericSuperclass() != null && type.getSuperclass() != Object.class) {
            header.append(" extends ").append(type.getGenericSuperclass().getTypeName());
        }
        for (java.lang.reflect.Type above : type.getGenericInterfaces()) {
            header.append(" : ").append(above.getTypeName());
        }
        return header.toString();
    }

    private static <M extends Member> List<String> visible(M[] members, Function<M, String> signature) {
        List<String> lines = new ArrayList<>();
        Arrays.stream(members)
                .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
                .forEach(member -> lines.add("    " + signature.apply(member)));
        Collections.sort(lines);
        return lines;
    }

    private static boolean isVisible(Class<?> type) {
        return isVisible(type.getModifiers()) && (type.getDeclaringClass() == null || isVisible(type.getDeclaringClass()));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}
