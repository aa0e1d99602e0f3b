// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Keeps the arrows between packages pointing down. */
class ArchitectureTest {
    private static final String ROOT = "org.subflow.mptcp.";

    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("org.subflow.mptcp");
    }

    @Test
    void dependenciesPointDown() {
        layeredArchitecture().consideringOnlyDependenciesInAnyPackage("org.subflow.mptcp..")
                .layer("rest").definedBy(ROOT + "rest..")
                .layer("config").definedBy(ROOT + "config..")
                .layer("history").definedBy(ROOT + "history..")
                .layer("overlay").definedBy(ROOT + "overlay..")
                .layer("connection").definedBy(ROOT + "connection..")
                .layer("measure").definedBy(ROOT + "measure..")
                .layer("plain").definedBy(ROOT + "plain..")
                .layer("intent").definedBy(ROOT + "intent..")
                .layer("detect").definedBy(ROOT + "detect..")
                .layer("topology").definedBy(ROOT + "topology..")
                .layer("path").definedBy(ROOT + "path..")
                .optionalLayer("share").definedBy(ROOT + "share..")
                .layer("api").definedBy(ROOT + "api..")
                .whereLayer("rest").mayNotBeAccessedByAnyLayer()
                .whereLayer("config").mayNotBeAccessedByAnyLayer()
                .whereLayer("overlay").mayNotBeAccessedByAnyLayer()
                .whereLayer("history").mayOnlyBeAccessedByLayers("rest")
                .whereLayer("connection").mayOnlyBeAccessedByLayers("rest", "config")
                .whereLayer("measure").mayOnlyBeAccessedByLayers("connection")
                .whereLayer("plain").mayOnlyBeAccessedByLayers("connection")
                .whereLayer("intent").mayOnlyBeAccessedByLayers("connection", "measure", "plain")
                .whereLayer("detect").mayOnlyBeAccessedByLayers("rest", "connection", "intent")
                .whereLayer("topology").mayOnlyBeAccessedByLayers(
                        "rest", "connection", "measure", "plain", "intent", "detect")
                .check(classes);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching(ROOT + "(*)..").should().beFreeOfCycles().check(classes);
    }

    @Test
    void pathsAndSharesKnowNothingOfOnos() {
        noClasses().that().resideInAnyPackage(ROOT + "path..", ROOT + "share..")
                .should().dependOnClassesThat().resideInAnyPackage("org.onosproject..", "org.onlab..", "org.osgi..")
                .because("the planner, the benchmarks and the simulator use them as they are")
                .check(classes);
    }

    @Test
    void theApiDependsOnNothingOfOurs() {
        noClasses().that().resideInAPackage(ROOT + "api..")
                .should().dependOnClassesThat().resideInAnyPackage(
                        ROOT + "rest..", ROOT + "config..", ROOT + "history..", ROOT + "connection..", ROOT + "measure..",
                        ROOT + "plain..", ROOT + "intent..", ROOT + "detect..", ROOT + "topology..", ROOT + "path..", ROOT + "share..")
                .check(classes);
    }
}
