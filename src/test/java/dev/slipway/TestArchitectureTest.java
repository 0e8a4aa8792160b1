package dev.slipway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.slipway.ArchitectureVocabulary.SLEEPS;

import com.tngtech.archunit.core.importer.ImportOption.OnlyIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the tests themselves keep to. Each rule's reason says what to do instead. */
@AnalyzeClasses(packages = "dev.slipway", importOptions = OnlyIncludeTests.class)
class TestArchitectureTest {

    /** Processes that tests start tell by no event how far they are; one fake server is slow on purpose. */
    private static final String MAY_WAIT =
            "dev\\.slipway\\.(controlplane\\.Pause|sandbox\\.Sandbox|kubernetes\\.ErrorClassifierTest)";

    @ArchTest
    static final ArchRule testsDoNotSleep = noClasses()
            .that()
            .haveNameNotMatching(MAY_WAIT)
            .should()
            .callCodeUnitWhere(SLEEPS)
            .because("sleeps make tests slow and lucky: wait for a condition with Awaitility, or move the clock");

    @ArchTest
    static final ArchRule testsDoNotMock = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.mockito..", "org.springframework.test.context.bean.override.mockito..")
            .because("a mock agrees with whatever one believes: use the real API server of dev.slipway.controlplane,"
                    + " or a small real fake");
}
