// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Keeps the arrows between packages pointing down. */
class ArchitectureTest {
    private static final String ROOT = "org.subflow.mptcp.";
    private static final String[] CORE = {ROOT + "path..", ROOT + "share..", ROOT + "placement.."};

    private static final int MOST_PARAMETERS = 7;

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
                .layer("metrics").definedBy(ROOT + "metrics..")
                .layer("history").definedBy(ROOT + "history..")
                .layer("overlay").definedBy(ROOT + "overlay..")
                .layer("wiring").definedBy(ROOT + "wiring..")
                .layer("query").definedBy(ROOT + "query..")
                .layer("lifecycle").definedBy(ROOT + "lifecycle..")
                .layer("admission").definedBy(ROOT + "admission..")
                .layer("subflows").definedBy(ROOT + "subflows..")
                .layer("reoptimisation").definedBy(ROOT + "reoptimisation..")
                .layer("provisioning").definedBy(ROOT + "provisioning..")
                .layer("submission").definedBy(ROOT + "submission..")
                .layer("reservation").definedBy(ROOT + "reservation..")
                .layer("sharing").definedBy(ROOT + "sharing..")
                .layer("routing").definedBy(ROOT + "routing..")
                .layer("store").definedBy(ROOT + "store..")
                .layer("wire").definedBy(ROOT + "wire..")
                .layer("host").definedBy(ROOT + "host..")
                .layer("measure").definedBy(ROOT + "measure..")
                .layer("plain").definedBy(ROOT + "plain..")
                .layer("intent").definedBy(ROOT + "intent..")
                .layer("rules").definedBy(ROOT + "rules..")
                .layer("cluster").definedBy(ROOT + "cluster..")
                .layer("candidate").definedBy(ROOT + "candidate..")
                .layer("handshake").definedBy(ROOT + "handshake..")
                .layer("segment").definedBy(ROOT + "segment..")
                .layer("token").definedBy(ROOT + "token..")
                .layer("topology").definedBy(ROOT + "topology..")
                .layer("loop").definedBy(ROOT + "loop..")
                .layer("core").definedBy(ROOT + "path..", ROOT + "share..", ROOT + "placement..")
                .layer("api").definedBy(ROOT + "api..")
                .whereLayer("rest").mayNotBeAccessedByAnyLayer()
                .whereLayer("config").mayNotBeAccessedByAnyLayer()
                .whereLayer("overlay").mayNotBeAccessedByAnyLayer()
                .whereLayer("metrics").mayOnlyBeAccessedByLayers("rest")
                .whereLayer("history").mayOnlyBeAccessedByLayers("rest")
                .whereLayer("wiring").mayOnlyBeAccessedByLayers("config")
                .whereLayer("query").mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("lifecycle").mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("admission").mayOnlyBeAccessedByLayers("wiring", "query", "lifecycle")
                .whereLayer("subflows").mayOnlyBeAccessedByLayers("wiring", "lifecycle", "admission")
                .whereLayer("reoptimisation").mayOnlyBeAccessedByLayers("wiring", "query", "lifecycle")
                .whereLayer("provisioning").mayOnlyBeAccessedByLayers(
                        "wiring", "query", "lifecycle", "admission", "subflows", "reoptimisation")
                .whereLayer("sharing").mayOnlyBeAccessedByLayers(
                        "wiring", "query", "admission", "reoptimisation", "provisioning")
                .whereLayer("routing").mayOnlyBeAccessedByLayers(
                        "wiring", "query", "lifecycle", "admission", "subflows", "reoptimisation", "sharing")
                .whereLayer("host").mayOnlyBeAccessedByLayers("rest", "wiring", "query", "lifecycle", "subflows")
                .whereLayer("store").mayOnlyBeAccessedByLayers(
                        "config", "host", "wiring", "query", "lifecycle", "admission", "subflows", "reoptimisation",
                        "provisioning", "sharing")
                .whereLayer("wire").mayOnlyBeAccessedByLayers("host", "wiring", "query", "store")
                .whereLayer("measure").mayOnlyBeAccessedByLayers(
                        "wiring", "query", "lifecycle", "admission", "reoptimisation", "provisioning", "sharing")
                .whereLayer("cluster").mayOnlyBeAccessedByLayers("wiring", "query")
                .whereLayer("candidate").mayOnlyBeAccessedByLayers("wiring", "lifecycle", "admission")
                .whereLayer("plain").mayOnlyBeAccessedByLayers("wiring", "lifecycle", "admission")
                .whereLayer("submission").mayOnlyBeAccessedByLayers("wiring", "lifecycle", "provisioning")
                .whereLayer("reservation").mayOnlyBeAccessedByLayers("wiring", "provisioning")
                .whereLayer("intent").mayOnlyBeAccessedByLayers(
                        "wiring", "reoptimisation", "provisioning", "submission")
                .whereLayer("rules").mayOnlyBeAccessedByLayers(
                        "wiring", "lifecycle", "provisioning", "submission", "measure", "plain", "intent", "segment")
                .whereLayer("handshake").mayOnlyBeAccessedByLayers("wiring", "admission", "candidate")
                .whereLayer("segment").mayOnlyBeAccessedByLayers(
                        "host", "wiring", "lifecycle", "admission", "cluster", "candidate", "wire", "handshake", "token")
                .whereLayer("token").mayOnlyBeAccessedByLayers(
                        "wiring", "admission", "candidate", "provisioning", "store", "wire",
                        "handshake")
                .whereLayer("topology").mayOnlyBeAccessedByLayers(
                        "host", "rest", "history", "wiring", "query", "lifecycle", "admission", "subflows", "cluster", "reoptimisation",
                        "provisioning", "reservation", "sharing", "routing", "measure", "plain", "segment")
                .whereLayer("loop").mayOnlyBeAccessedByLayers(
                        "rest", "history", "topology", "submission", "cluster",
                        "wiring", "query", "lifecycle", "admission", "subflows", "reoptimisation", "provisioning", "routing",
                        "store", "measure")
                .check(classes);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching(ROOT + "(*)..").should().beFreeOfCycles().check(classes);
        slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void theCoreKnowsNothingOfOnos() {
        noClasses().that().resideInAnyPackage(CORE)
                .should().dependOnClassesThat().resideInAnyPackage("org.onosproject..", "org.onlab..", "org.osgi..")
                .because("the planner uses it as it is, and so can any program")
                .check(classes);
    }

    @Test
    void theCoreDependsOnNothingElseOfOurs() {
        noClasses().that().resideInAnyPackage(CORE)
                .should().dependOnClassesThat(resideInAPackage("org.subflow.mptcp..").and(not(resideInAnyPackage(CORE))))
                .check(classes);
    }

    @Test
    void theApiDependsOnTheCoreAlone() {
        noClasses().that().resideInAPackage(ROOT + "api..")
                .should().dependOnClassesThat(resideInAPackage("org.subflow.mptcp..")
                        .and(not(resideInAPackage(ROOT + "api..").or(resideInAnyPackage(CORE)))))
                .check(classes);
    }

    @Test
    void nothingButTheClockAsksTheSystemForTheTime() {
        noClasses().that().doNotHaveFullyQualifiedName(ROOT + "loop.SteadyClock")
                .should().accessTargetWhere(target(owner(type(System.class)))
                        .and(target(nameMatching("nanoTime|currentTimeMillis"))))
                .because("tests hand in a clock of their own, and need not wait")
                .check(classes);
    }

    /** Outside the wiring, which puts all together; and values make themselves. */
    @Test
    void constructorsHaveAtMostSevenParameters() {
        List<String> large = classes.stream().filter(type -> !type.getPackageName().startsWith(ROOT + "wiring"))
                .flatMap(type -> type.getConstructors().stream())
                .filter(one -> !one.getModifiers().contains(JavaModifier.PRIVATE))
                .filter(one -> one.getRawParameterTypes().size() > MOST_PARAMETERS)
                .map(one -> one.getOwner().getSimpleName())
                .collect(Collectors.toList());
        assertEquals(List.of(), large, "divide what a class does, so that its constructor has at most " + MOST_PARAMETERS
                + " parameters");
    }
}
