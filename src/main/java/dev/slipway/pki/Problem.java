package dev.slipway.pki;

import dev.slipway.phase.Outcome;
import java.util.List;

/**
 * One thing that is wrong with key material, on which object and field, and the remedy.
 *
 * @param code what kind of problem
 * @param object the object, for example {@code Secret team-a/c1-ca}
 * @param field the field in it, for example {@code tls.key}
 * @param message what is wrong, without any secret
 * @param remedy what a person can do, mostly one command
 */
public record Problem(ProblemCode code, String object, String field, String message, String remedy) {

    /** Blocks on all of them: the first gives the code, each its sentence and its remedy. */
    public static Outcome blocked(List<Problem> problems) {
        ProblemCode first = problems.get(0).code();
        return Outcome.blocked(
                first.errorClass(),
                first.code(),
                String.join(" ", problems.stream().map(Problem::sentence).toList()),
                problems.stream().map(Problem::remedy).toArray(String[]::new));
    }

    /** Object, field and message in one sentence. */
    public String sentence() {
        return object + ", " + field + ": " + message + ".";
    }
}
