// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The archive's files are those that ONOS's installer takes, and its descriptions say to ONOS and to Karaf what they should. */
class LayoutTest {
    private static final String GROUP = "org.subflow.mptcp";
    /** The format of feature repositories that ONOS's own tools write. Karaf enforces services from 1.3.0 on. */
    private static final String FEATURES_NAMESPACE = "http://karaf.apache.org/xmlns/features/v1.2.0";
    private static final int JAVA_11 = 55;
    private static final int CLASS_FILE = 0xCAFEBABE;

    private final Archive archive = Archive.built();

    /** ONOS takes an archive with any other file for a jar that is its own bundle, and says that it lacks a features.xml. */
    @Test
    void hasNoFileThatOnosDoesNotKnow() {
        List<String> strange = new ArrayList<>(archive.files().keySet());
        strange.removeIf(name -> name.equals("app.xml") || name.equals("app.png")
                || name.endsWith(".jar") || name.endsWith("features.xml"));
        assertEquals(List.of(), strange);
    }

    @Test
    void describesTheApplicationAsOnosReadsIt() {
        Element app = archive.xml("app.xml");
        assertEquals("app", app.getTagName());
        assertEquals(GROUP, app.getAttribute("name"));
        assertEquals(Archive.VERSION, app.getAttribute("version"));
        assertEquals("onos-mptcp", app.getAttribute("features"));
        assertEquals("", app.getAttribute("apps"));
        for (String attribute : List.of("origin", "title", "category", "url")) {
            assertTrue(!app.getAttribute(attribute).isBlank(), attribute);
        }
        assertEquals(1, app.getElementsByTagName("description").getLength());
        assertEquals(FEATURES_NAMESPACE, features().getNamespaceURI());
    }

    @Test
    void hasTheFeaturesThatItsDescriptionNames() {
        List<String> named = new ArrayList<>();
        for (Element feature : children(features(), "feature")) {
            named.add(feature.getAttribute("name"));
            assertEquals(Archive.VERSION, feature.getAttribute("version"));
        }
        assertEquals(List.of(archive.xml("app.xml").getAttribute("features").split(",")), named);
    }

    /** ONOS fetches nothing: each address is in the archive, and each bundle in it is in a feature. */
    @Test
    void bringsEveryBundleOfItsFeatures() {
        Set<String> named = new TreeSet<>();
        for (Element bundle : children(features(), "bundle")) {
            String address = bundle.getTextContent().trim();
            assertTrue(address.startsWith("mvn:"), address);
            named.add(Archive.fileOf(address));
        }
        assertEquals(new TreeSet<>(archive.bundles().keySet()), named);
        assertEquals(List.of(), children(features(), "repository"));
    }

    @Test
    void runsOnJava11() {
        int ours = 0;
        for (String bundle : archive.bundles().keySet()) {
            for (var file : archive.jar(bundle).entrySet()) {
                if (file.getKey().endsWith(".class")) {
                    ByteBuffer head = ByteBuffer.wrap(file.getValue());
                    assertEquals(CLASS_FILE, head.getInt());
                    int major = head.getInt() & 0xFFFF;
                    assertTrue(major <= JAVA_11, () -> file.getKey() + " is of version " + major);
                    if (file.getKey().startsWith("org/subflow/")) {
                        assertEquals(JAVA_11, major, file.getKey());
                        ours++;
                    }
                }
            }
        }
        assertTrue(ours > 100, "only " + ours + " classes of our own");
    }

    private Element features() {
        String address = archive.xml("app.xml").getAttribute("featuresRepo");
        String file = Archive.fileOf(address);
        assertTrue(archive.files().containsKey(file), () -> address + " is not in the archive as " + file);
        return archive.xml(file);
    }

    private static List<Element> children(Element parent, String name) {
        NodeList found = parent.getElementsByTagNameNS("*", name);
        List<Element> children = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            children.add((Element) found.item(i));
        }
        return children;
    }
}
