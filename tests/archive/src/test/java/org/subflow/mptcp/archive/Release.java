// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.archive;

import aQute.bnd.header.Parameters;
import aQute.bnd.osgi.Domain;
import aQute.bnd.osgi.resource.ResourceBuilder;
import aQute.bnd.osgi.resource.ResourceUtils;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.resource.Capability;
import org.osgi.resource.Requirement;
import org.osgi.resource.Resource;

/**
 * What a release of ONOS offers to bundles: the exports and other capabilities of its own bundles, of the libraries that it pins,
 * and of the Karaf that it is on. What those bundles need in turn is that release's business.
 */
final class Release {
    private static final String JAVA = "11";
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^${}]+)}");

    private final List<Resource> resources = new ArrayList<>();

    /** Reads the jars that the build has laid out for that version. */
    static Release of(String version) {
        Release release = new Release();
        File releases = new File(System.getProperty("releases"));
        try {
            for (String folder : List.of("onos-" + version, "both")) {
                for (File jar : jars(new File(releases, folder))) {
                    release.resources.add(offers(Domain.domain(jar)));
                }
            }
            for (File karaf : jars(new File(releases, "karaf"))) {
                release.resources.add(framework(karaf));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return release;
    }

    /** Returns the capabilities that meet a requirement, the highest versions of packages first. */
    List<Capability> providers(Requirement requirement) {
        List<Capability> found = new ArrayList<>();
        for (Resource resource : resources) {
            found.addAll(providers(resource, requirement));
        }
        found.sort((a, b) -> ResourceUtils.getVersion(b).compareTo(ResourceUtils.getVersion(a)));
        return found;
    }

    /** Returns what one resource offers to a requirement. */
    static Collection<Capability> providers(Resource resource, Requirement requirement) {
        List<Capability> found = new ArrayList<>(resource.getCapabilities(requirement.getNamespace()));
        found.removeIf(capability -> !ResourceUtils.matches(requirement, capability));
        return found;
    }

    private static Resource offers(Domain manifest) {
        ResourceBuilder all = new ResourceBuilder();
        if (!all.addManifest(manifest)) {
            throw new IllegalArgumentException("no bundle: " + manifest);
        }
        ResourceBuilder offered = new ResourceBuilder();
        offered.addCapabilities(all.build().getCapabilities(null));
        return offered.build();
    }

    /** What the framework offers by Karaf's own configuration: the packages of Java and of OSGi, and the version of Java. */
    private static Resource framework(File karaf) throws IOException {
        Properties configuration = new Properties();
        try (JarFile jar = new JarFile(karaf)) {
            for (String name : List.of("jre.properties", "config.properties")) {
                configuration.load(jar.getInputStream(jar.getEntry("resources/etc/" + name)));
            }
        }
        configuration.setProperty("java.specification.version", JAVA);
        ResourceBuilder framework = new ResourceBuilder();
        framework.addExportPackages(new Parameters(value(configuration, "org.osgi.framework.system.packages")));
        framework.addProvideCapabilities(value(configuration, "org.osgi.framework.system.capabilities"));
        return framework.build();
    }

    private static String value(Properties configuration, String name) {
        String text = configuration.getProperty(name);
        if (text == null) {
            throw new IllegalArgumentException("Karaf's configuration has no " + name);
        }
        for (Matcher variable = VARIABLE.matcher(text); variable.find(); variable = VARIABLE.matcher(text)) {
            text = text.substring(0, variable.start()) + value(configuration, variable.group(1)) + text.substring(variable.end());
        }
        return text;
    }

    private static File[] jars(File folder) {
        File[] found = folder.listFiles((in, name) -> name.endsWith(".jar"));
        if (found == null || found.length == 0) {
            throw new IllegalStateException("no jars in " + folder + ": run mvn verify");
        }
        return found;
    }
}
