// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Keeps the dependencies between the packages of core in one direction. */
class ArchitectureTest {
    private static final String ROOT = "org.subflow.mptcp.";
    private static final String SHARE = ROOT + "share";

    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("org.subflow.mptcp");
    }

    @Test
    void coreKnowsNothingOfOnos() {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("org.onosproject..", "org.onlab..", "org.osgi..")
                .check(classes);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void solversOfSharesDependDownwards() {
        layeredArchitecture().consideringOnlyDependenciesInAnyPackage(SHARE + "..")
                .layer("interface").definedBy(SHARE)
                .layer("alphafair").definedBy(SHARE + ".alphafair")
                .layer("maxmin").definedBy(SHARE + ".maxmin")
                .layer("proportional").definedBy(SHARE + ".proportional")
                .layer("smptcp").definedBy(SHARE + ".smptcp")
                .layer("split").definedBy(SHARE + ".split")
                .layer("linear").definedBy(SHARE + ".linear")
                .whereLayer("interface").mayNotBeAccessedByAnyLayer()
                .whereLayer("alphafair").mayOnlyBeAccessedByLayers("interface", "maxmin")
                .whereLayer("maxmin").mayOnlyBeAccessedByLayers("interface")
                .whereLayer("proportional").mayOnlyBeAccessedByLayers("interface")
                .whereLayer("smptcp").mayOnlyBeAccessedByLayers("interface")
                .whereLayer("split").mayOnlyBeAccessedByLayers("interface", "maxmin", "proportional")
                .whereLayer("linear").mayOnlyBeAccessedByLayers(
                        "interface", "alphafair", "maxmin", "proportional", "smptcp", "split")
                .check(classes);
    }

    @Test
    void nobodyElseUsesTheSolversOfShares() {
        noClasses().that().resideOutsideOfPackage(SHARE + "..")
                .should().dependOnClassesThat().resideInAnyPackage(SHARE + ".*..")
                .check(classes);
    }

    /** The interface of shares must not show classes of the solvers, which the bundle does not export. */
    @Test
    void theInterfaceOfSharesShowsNoSolver() {
        noMethods().that().arePublic()
                .and().areDeclaredInClassesThat().resideInAPackage(SHARE)
                .and().areDeclaredInClassesThat().arePublic()
                .should().haveRawReturnType(resideInAnyPackage(SHARE + ".*.."))
                .check(classes);
    }
}
