package dev.slipway.kernel;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * Decisions that are taken once for an occasion, however often, and by however many nodes, it is heard of.
 *
 * <p>The ids of the decisions follow from the occasion, so the database decides; a crash at any point repeats nothing.
 */
public interface Occasions {

    /** What the ids of such decisions begin with, and no others. */
    String PREFIX = "once-";

    /**
     * Decides alike about several runs, all or none, and tries to apply it at once.
     *
     * @param occasion what happened, for ever
     * @param runIds the runs of phases; none is no decision, and the occasion remains
     * @param by who decides
     * @return the decisions; none if they were recorded before
     * @throws Decisions.Conflict if somebody else was quicker, or a phase was left: nothing was recorded
     * @throws Decisions.NotAllowed if a phase does not allow that choice: nothing was recorded
     */
    List<Decision> decide(String occasion, List<String> runIds, Decision.Wish wish, String by);

    /** Whether something was decided on that occasion. */
    boolean isDecided(String occasion);

    /** The id of the decision about one of the occasion's runs, in their order. */
    static String id(String occasion, int number) {
        byte[] text = (occasion + "#" + number).getBytes(StandardCharsets.UTF_8);
        return PREFIX + UUID.nameUUIDFromBytes(text);
    }
}
