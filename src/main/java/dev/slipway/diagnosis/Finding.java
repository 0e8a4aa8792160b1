package dev.slipway.diagnosis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one look at one thing found. Holds no secret.
 *
 * @param step the number of the step that looked
 * @param title the step's title
 * @param object what was looked at, as kubectl names it, for example {@code machine/c1-cp-0}
 * @param verdict how it stands
 * @param code what is wrong, UpperCamel, for programs; null if there is nothing to name
 * @param sentence what was seen, or why it could not be
 * @param details more of it, line by line
 */
public record Finding(
        int step,
        String title,
        String object,
        Verdict verdict,
        @Nullable String code,
        String sentence,
        List<String> details) {

    public Finding {
        details = List.copyOf(details);
    }
}
