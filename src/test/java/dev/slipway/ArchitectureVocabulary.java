package dev.slipway;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.beans.Introspector;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** What the rules of the architecture speak of. */
final class ArchitectureVocabulary {

    static final DescribedPredicate<JavaCall<?>> READS_THE_SYSTEMS_TIME =
            describe("reads the system's time", ArchitectureVocabulary::readsTheSystemsTime);

    static final DescribedPredicate<JavaCall<?>> MAKES_A_CLOCK =
            describe("makes a clock", ArchitectureVocabulary::makesAClock);

    static final DescribedPredicate<JavaCall<?>> SLEEPS = describe("sleeps", ArchitectureVocabulary::sleeps);

    private ArchitectureVocabulary() {}

    private static boolean readsTheSystemsTime(JavaCall<?> call) {
        JavaClass owner = call.getTargetOwner();
        String name = call.getName();
        boolean bare = call.getTarget().getRawParameterTypes().isEmpty();
        return (owner.isEquivalentTo(System.class) && name.equals("currentTimeMillis"))
                || (owner.isEquivalentTo(Date.class) && name.equals("<init>") && bare)
                || (name.equals("now") && bare && isDateOrTime(owner));
    }

    private static boolean makesAClock(JavaCall<?> call) {
        JavaClass owner = call.getTargetOwner();
        return (owner.isEquivalentTo(Clock.class) && call.getName().matches("system.*|tick(Millis|Seconds|Minutes)"))
                || (owner.isEquivalentTo(InstantSource.class) && call.getName().equals("system"));
    }

    private static boolean isDateOrTime(JavaClass type) {
        return Stream.of(Instant.class, LocalDate.class, LocalDateTime.class, OffsetDateTime.class, ZonedDateTime.class)
                .anyMatch(type::isEquivalentTo);
    }

    private static boolean sleeps(JavaCall<?> call) {
        JavaClass owner = call.getTargetOwner();
        return (call.getName().equals("sleep")
                        && (owner.isEquivalentTo(Thread.class) || owner.isEquivalentTo(TimeUnit.class)))
                || (call.getName().startsWith("park") && owner.isEquivalentTo(LockSupport.class));
    }

    static ArchCondition<JavaClass> haveOnlyOnePublicMethodNamed(String name) {
        return new ArchCondition<>("have only one public method, named " + name) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                List<String> names = type.getMethods().stream()
                        .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                        .map(JavaMethod::getName)
                        .sorted()
                        .toList();
                events.add(new SimpleConditionEvent(
                        type, names.equals(List.of(name)), type.getName() + " has the public methods " + names));
            }
        };
    }

    static ArchCondition<JavaClass> beNamedAsABeanByTheirClass() {
        return new ArchCondition<>("be named as a bean by their class") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                String given = type.getAnnotationOfType(Component.class).value();
                String expected = type.getSimpleName().substring(0, 1).toLowerCase(Locale.ROOT)
                        + type.getSimpleName().substring(1);
                // Spring keeps a name such as "TTLCheck" as it is.
                boolean lowerCamel = expected.equals(Introspector.decapitalize(type.getSimpleName()));
                events.add(new SimpleConditionEvent(
                        type,
                        lowerCamel && (given.isEmpty() || given.equals(expected)),
                        type.getName() + " is the bean \"" + (given.isEmpty() ? expected : given)
                                + "\", diagrams expect \"" + expected + "\""));
            }
        };
    }
}
