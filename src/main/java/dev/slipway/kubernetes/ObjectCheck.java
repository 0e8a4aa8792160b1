package dev.slipway.kubernetes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the API server whether it would take a new object: schema, rules, webhooks; stores nothing. */
public interface ObjectCheck {

    /**
     * What the server says.
     *
     * @param object as it would be stored, with defaults; null if it would not be
     * @param exists whether there is one of that name already
     * @param wrong what is wrong, field by field; empty if the object would be stored
     */
    record Checked(@Nullable KubeObject object, boolean exists, List<Wrong> wrong) {}

    /**
     * One thing that is wrong.
     *
     * @param field the field's path; empty if the server names none
     * @param message the server's words
     */
    record Wrong(String field, String message) {}

    /**
     * Checks an object; a field that the schema does not know is wrong, too.
     *
     * @throws dev.slipway.phase.Failure if the server does not answer, or not to Slipway
     */
    Checked check(ResourceType type, KubeObject object);
}
