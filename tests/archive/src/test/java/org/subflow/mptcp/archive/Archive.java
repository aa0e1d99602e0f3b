// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.archive;

import aQute.bnd.osgi.Domain;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** The {@code .oar} that this build has packed. All of its files are in memory. */
final class Archive {
    static final String VERSION = System.getProperty("version");
    /** Where ONOS unpacks the addresses {@code mvn:…} of an application from. */
    private static final String REPOSITORY = "m2/";
    private static final String MANIFEST = "META-INF/MANIFEST.MF";

    private final Map<String, byte[]> files;

    private Archive(Map<String, byte[]> files) {
        this.files = files;
    }

    static Archive built() {
        try (InputStream in = Files.newInputStream(Path.of(System.getProperty("archive")))) {
            return new Archive(unzip(in));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the files by their names in the archive, in its order; no folders. */
    Map<String, byte[]> files() {
        return files;
    }

    /** Returns the files of a jar in the archive. */
    Map<String, byte[]> jar(String name) {
        try {
            return unzip(new ByteArrayInputStream(files.get(name)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the manifests of the bundles in the archive, by the bundles' file names. */
    Map<String, Domain> bundles() {
        Map<String, Domain> bundles = new LinkedHashMap<>();
        for (String name : files.keySet()) {
            if (name.endsWith(".jar")) {
                Map<String, byte[]> jar = jar(name);
                if (jar.containsKey(MANIFEST) && manifest(jar).getBundleSymbolicName() != null) {
                    bundles.put(name, manifest(jar));
                }
            }
        }
        return bundles;
    }

    /** Returns the root of an XML document in the archive, read with namespaces. */
    Element xml(String name) {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        try {
            return factory.newDocumentBuilder().parse(new ByteArrayInputStream(files.get(name))).getDocumentElement();
        } catch (ParserConfigurationException | SAXException failure) {
            throw new IllegalArgumentException(name + " is no XML", failure);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Returns the name of the file that an address names once ONOS has installed the archive.
     *
     * @param address {@code mvn:GROUP/NAME/VERSION[/TYPE[/CLASSIFIER]]}
     */
    static String fileOf(String address) {
        String[] parts = address.substring("mvn:".length()).split("/");
        String type = parts.length > 3 ? parts[3] : "jar";
        String classifier = parts.length > 4 ? "-" + parts[4] : "";
        return REPOSITORY + parts[0].replace('.', '/') + '/' + parts[1] + '/' + parts[2] + '/'
                + parts[1] + '-' + parts[2] + classifier + '.' + type;
    }

    private static Domain manifest(Map<String, byte[]> jar) {
        try {
            return Domain.domain(new Manifest(new ByteArrayInputStream(jar.get(MANIFEST))));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Map<String, byte[]> unzip(InputStream in) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    files.put(entry.getName(), zip.readAllBytes());
                }
            }
        }
        return files;
    }
}
