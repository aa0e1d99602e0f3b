// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import aQute.bnd.osgi.resource.ResourceBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.felix.resolver.Logger;
import org.apache.felix.resolver.ResolverImpl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.resource.Capability;
import org.osgi.resource.Requirement;
import org.osgi.resource.Resource;
import org.osgi.resource.Wire;
import org.osgi.resource.Wiring;
import org.osgi.service.resolver.HostedCapability;
import org.osgi.service.resolver.ResolutionException;
import org.osgi.service.resolver.ResolveContext;

/** The bundles of the archive resolve against a release by the resolver that its Karaf uses, services included. */
class ResolutionTest {
    private static final String SERVICE = "osgi.service";

    private final Map<Resource, String> bundles = new LinkedHashMap<>();

    ResolutionTest() {
        Archive.built().bundles().forEach((name, manifest) -> {
            ResourceBuilder bundle = new ResourceBuilder();
            bundle.addManifest(manifest);
            bundles.put(bundle.build(), manifest.getBundleSymbolicName().getKey());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.5.1", "2.7.0"})
    void everyBundleResolvesWithAllItImports(String version) throws ResolutionException {
        Map<Resource, List<Wire>> wires = new ResolverImpl(new Logger(Logger.LOG_ERROR)).resolve(new Install(Release.of(version)));
        List<String> open = new ArrayList<>();
        bundles.forEach((bundle, name) -> {
            List<Requirement> imports = new ArrayList<>(bundle.getRequirements(PackageNamespace.PACKAGE_NAMESPACE));
            // What is optional may not be there, but here all of it is: else an import of ours would be wrong.
            wires.get(bundle).forEach(wire -> imports.remove(wire.getRequirement()));
            // A bundle that imports its own packages, so that all may share one of several versions, has them itself here.
            imports.removeIf(own -> !Release.providers(bundle, own).isEmpty());
            imports.forEach(left -> open.add(name + ": " + left));
        });
        assertEquals(List.of(), open);
    }

    /** What a component refers to may be registered by hand, as ours, or by a bundle that is not published: no bundle asks for it. */
    @ParameterizedTest
    @ValueSource(strings = {"2.5.1", "2.7.0"})
    void noBundleRequiresAServiceThatNobodyProvides(String version) {
        Install install = new Install(Release.of(version));
        TreeSet<String> missing = new TreeSet<>();
        for (Resource bundle : bundles.keySet()) {
            for (Requirement requirement : bundle.getRequirements(SERVICE)) {
                if (install.findProviders(requirement).isEmpty()) {
                    missing.add(bundles.get(bundle) + ": " + requirement.getDirectives().get("filter"));
                }
            }
        }
        assertEquals(new TreeSet<>(), missing);
    }

    /** The archive's bundles, to be installed in a release that has none of them. */
    private final class Install extends ResolveContext {
        private final Release release;

        Install(Release release) {
            this.release = release;
        }

        @Override
        public Collection<Resource> getMandatoryResources() {
            return List.copyOf(bundles.keySet());
        }

        @Override
        public List<Capability> findProviders(Requirement requirement) {
            List<Capability> found = new ArrayList<>();
            for (Resource bundle : bundles.keySet()) {
                found.addAll(Release.providers(bundle, requirement));
            }
            found.addAll(release.providers(requirement));
            return found;
        }

        @Override
        public int insertHostedCapability(List<Capability> capabilities, HostedCapability hosted) {
            capabilities.add(hosted);
            return capabilities.size() - 1;
        }

        /** All are: Karaf enforces services, too, which are effective only once bundles are active. */
        @Override
        public boolean isEffective(Requirement requirement) {
            return true;
        }

        @Override
        public Map<Resource, Wiring> getWirings() {
            return Map.of();
        }
    }
}
