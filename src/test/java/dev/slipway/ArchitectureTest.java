package dev.slipway;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.slipway.ArchitectureVocabulary.MAKES_A_CLOCK;
import static dev.slipway.ArchitectureVocabulary.READS_THE_SYSTEMS_TIME;
import static dev.slipway.ArchitectureVocabulary.SLEEPS;
import static dev.slipway.ArchitectureVocabulary.beNamedAsABeanByTheirClass;
import static dev.slipway.ArchitectureVocabulary.haveOnlyOnePublicMethodNamed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters;
import dev.slipway.phase.Phase;
import org.springframework.stereotype.Component;

/** What may depend on what in the product. Each rule's reason says what to do instead. */
@AnalyzeClasses(packages = "dev.slipway", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String DELEGATES = "dev.slipway.delegates..";
    private static final String KUBERNETES = "dev.slipway.kubernetes..";
    private static final String ENGINE = "org.camunda..";

    /** All that delegates may use of {@code dev.slipway.kubernetes}, with their nested types. */
    private static final DescribedPredicate<JavaClass> FOR_DELEGATES = belongToAnyOf(
            LiveReader.class, KubeWriter.class, WorkloadClusters.class, KubeObject.class, ResourceType.class);

    // Who knows the engine

    @ArchTest
    static final ArchRule onlyTheKernelAndTheEnginePackageKnowCamunda = noClasses()
            .that()
            .resideOutsideOfPackages("dev.slipway.kernel..", "dev.slipway.engine..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ENGINE)
            .because("the engine must stay exchangeable: use dev.slipway.kernel.Flows, or add what is missing there");

    @ArchTest
    static final ArchRule thePhaseContractDependsOnNothingButItself = classes()
            .that()
            .resideInAPackage("dev.slipway.phase..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.slipway.phase..", "java..", "org.jspecify.annotations..")
            .because("it is what authors of phases learn: keep Kubernetes, engine and Spring out of it");

    @ArchTest
    static final ArchRule whatRunsInsideOfPhasesDoesNotKnowTheKernel = noClasses()
            .that()
            .resideInAnyPackage(
                    DELEGATES,
                    "dev.slipway.cluster..",
                    "dev.slipway.pki..",
                    "dev.slipway.platform..",
                    "dev.slipway.sentry..",
                    "dev.slipway.imports..",
                    "dev.slipway.deletion..",
                    "dev.slipway.helm..",
                    "dev.slipway.workitem..",
                    KUBERNETES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.slipway.kernel..", "dev.slipway.engine..")
            .because("a phase is told all it may know in its PhaseContext: add what is missing there");

    @ArchTest
    static final ArchRule whatRunsPhasesDoesNotKnowWhoShowsOrStartsThem = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.slipway.kernel..",
                    "dev.slipway.phase..",
                    DELEGATES,
                    KUBERNETES,
                    "dev.slipway.pki..",
                    "dev.slipway.cluster..",
                    "dev.slipway.platform..",
                    "dev.slipway.sentry..",
                    "dev.slipway.imports..",
                    "dev.slipway.deletion..",
                    "dev.slipway.helm..",
                    "dev.slipway.workitem..",
                    "dev.slipway.queue..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.slipway.api..",
                    "dev.slipway.trigger..",
                    "dev.slipway.status..",
                    "dev.slipway.notify..",
                    "dev.slipway.security..")
            .because(
                    "status, notifications, triggers and REST are projections and inputs: they listen to dev.slipway.kernel"
                            + ".FlowChanges or EscalationListener and call Flows, never the other way round");

    @ArchTest
    static final ArchRule packagesHaveNoCycles = slices().matching("dev.slipway.(**)")
            .should()
            .beFreeOfCycles()
            .because("a package must be understood without those that use it: move the shared type down, or invert the"
                    + " dependency with an interface");

    // What delegates may do

    @ArchTest
    static final ArchRule delegatesReadLiveAndNeverFromCaches = noClasses()
            .that()
            .resideInAPackage(DELEGATES)
            .should()
            .dependOnClassesThat(resideInAPackage(KUBERNETES).and(not(FOR_DELEGATES)))
            .because("a cache may be late: delegates decide on LiveReader, write with KubeWriter, and reach workload"
                    + " clusters through WorkloadClusters; informers only wake them");

    @ArchTest
    static final ArchRule whatDelegatesCallReadsLiveToo = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.slipway.cluster..",
                    "dev.slipway.pki..",
                    "dev.slipway.platform..",
                    "dev.slipway.sentry..",
                    "dev.slipway.imports..",
                    "dev.slipway.deletion..",
                    "dev.slipway.helm..",
                    "dev.slipway.workitem..")
            .should()
            .dependOnClassesThat(resideInAPackage(KUBERNETES).and(not(FOR_DELEGATES)))
            .because("it runs inside of phases, so the rule for delegates holds here as well");

    @ArchTest
    static final ArchRule delegatesTouchNothingOfSpringButComponent = noClasses()
            .that()
            .resideInAPackage(DELEGATES)
            .should()
            .dependOnClassesThat(resideInAPackage("org.springframework..").and(not(belongToAnyOf(Component.class))))
            .because("a delegate is a plain class: give it what it needs through its constructor");

    @ArchTest
    static final ArchRule delegatesKnowNeitherHttpNorJsonMapping = noClasses()
            .that()
            .resideInAPackage(DELEGATES)
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.net.http..", "okhttp3..", "com.google.gson..")
                    .or(belongToAnyOf(ObjectMapper.class)))
            .because("calls and their errors are classified once, in dev.slipway.kubernetes: read fields through"
                    + " KubeObject, or give dev.slipway.cluster a view of the object");

    @ArchTest
    static final ArchRule everyPhaseIsADelegateAndTheOtherWayRound = classes()
            .that()
            .resideInAPackage(DELEGATES)
            .and()
            .areTopLevelClasses()
            .and(not(simpleName("package-info")))
            .should()
            .implement(Phase.class)
            .andShould()
            .beAnnotatedWith(Component.class)
            .because("delegates/ holds the phases that diagrams name and nothing else: helpers go to"
                    + " dev.slipway.cluster or dev.slipway.pki");

    @ArchTest
    static final ArchRule phasesLiveInDelegatesOnly = noClasses()
            .that()
            .resideOutsideOfPackages(DELEGATES, "dev.slipway.phase..")
            .should()
            .implement(Phase.class)
            .because("a person who looks for a phase looks into delegates/");

    @ArchTest
    static final ArchRule aDelegateHasOnePublicMethodNamedRun = classes()
            .that()
            .resideInAPackage(DELEGATES)
            .and()
            .areTopLevelClasses()
            .and()
            .implement(Phase.class)
            .should(haveOnlyOnePublicMethodNamed("run"))
            .because("a phase is one idempotent step: make the others private, or move them to a type of their own");

    @ArchTest
    static final ArchRule aDelegatesBeanIsItsClassNameInLowerCamel = classes()
            .that()
            .resideInAPackage(DELEGATES)
            .and()
            .areAnnotatedWith(Component.class)
            .should(beNamedAsABeanByTheirClass())
            .because("diagram, bean, class, metric and console use one word: ${ensureQuota} runs EnsureQuota; write"
                    + " @Component without a name");

    // Which library lives where

    @ArchTest
    static final ArchRule theKubernetesClientIsUsedInOnePackage = noClasses()
            .that()
            .resideOutsideOfPackage(KUBERNETES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.kubernetes.client..", "okhttp3..")
            .because("deadlines, error classes and field manager are set there: use LiveReader, KubeWriter or"
                    + " WorkloadClusters");

    @ArchTest
    static final ArchRule bouncyCastleIsUsedInOnePackage = noClasses()
            .that()
            .resideOutsideOfPackage("dev.slipway.pki..")
            .and()
            // Other people's kubeconfigs hold keys in forms that the client library cannot read.
            .doNotHaveFullyQualifiedName("dev.slipway.kubernetes.KubeconfigParser")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.bouncycastle..")
            .because("keys and certificates are made and checked in dev.slipway.pki only");

    @ArchTest
    static final ArchRule helmIsUsedInOnePackage = noClasses()
            .that()
            .resideOutsideOfPackage("dev.slipway.helm.worker..")
            // It copies the library's jars for the worker's class path, and calls nothing of them.
            .and()
            .doNotHaveFullyQualifiedName("dev.slipway.helm.HelmRuntime")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.marcnuri..", "com.sun.jna..")
            .because("Go runs in a process of its own, that can be killed: use dev.slipway.helm.HelmReleases");

    @ArchTest
    static final ArchRule helmsOwnProcessKnowsNothingOfSlipway = classes()
            .that()
            .resideInAPackage("dev.slipway.helm.worker..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.slipway.helm.worker..",
                    "java..",
                    "org.jspecify.annotations..",
                    "com.marcnuri..",
                    "com.sun.jna..")
            .because("no other class is on its class path");

    // How the code is written

    @ArchTest
    static final ArchRule timeComesFromTheClock = noClasses()
            .should()
            .callCodeUnitWhere(READS_THE_SYSTEMS_TIME)
            .because("tests and drills move the time: take the Clock bean, or PhaseContext.now() in a phase;"
                    + " System.nanoTime() is for measuring only");

    @ArchTest
    static final ArchRule thereIsOneClock = noClasses()
            .that()
            // API servers do not follow a moved clock: watches and Retry-After are timed by the real one.
            .resideOutsideOfPackage(KUBERNETES)
            .should()
            .callCodeUnitWhere(MAKES_A_CLOCK)
            .because("flows, timers and the runner must agree on the time: take the Clock bean of the kernel");

    @ArchTest
    static final ArchRule nothingSleeps = noClasses()
            .that()
            // Milliseconds of jitter between two writers of one object, at most four times.
            .doNotHaveFullyQualifiedName("dev.slipway.kubernetes.ConflictRetry")
            .should()
            .callCodeUnitWhere(SLEEPS)
            .because("a sleeping thread is one that other clusters lack: report Outcome.waiting, or schedule");

    @ArchTest
    static final ArchRule nothingIsInjectedIntoFields = fields().should()
            .notBeAnnotatedWith("org.springframework.beans.factory.annotation.Autowired")
            .andShould()
            .notBeAnnotatedWith("org.springframework.beans.factory.annotation.Value")
            .andShould()
            .notBeAnnotatedWith("jakarta.inject.Inject")
            .andShould()
            .notBeAnnotatedWith("jakarta.annotation.Resource")
            .because("constructors say what a class needs: make the field final and a constructor parameter");

    @ArchTest
    static final ArchRule nothingWritesToTheConsoleOrToAnotherLog = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.logging..")
            .orShould()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace")
            .because("lines must carry cluster, flow, phase and attempt: log through slf4j");

    @ArchTest
    static final ArchRule staticFieldsDoNotChange = fields().that()
            .areStatic()
            .should()
            .beFinal()
            .because("two nodes, and two tests, run in one JVM: keep state in a bean");
}
