package dev.slipway.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.slipway.kubernetes.AccessReviews;
import dev.slipway.kubernetes.AccessReviews.Owner;
import dev.slipway.kubernetes.ResourceType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Who has a token of the management cluster, and what they may do, remembered for seconds.
 *
 * <p>What is not answered is not remembered, and lets nobody in.
 */
@Component
class KubernetesRights {

    private static final int REMEMBERED = 10_000;

    private final AccessReviews reviews;
    private final KubernetesSettings settings;
    private final Cache<String, Optional<Owner>> owners;
    private final Cache<Question, Boolean> answers;

    KubernetesRights(AccessReviews reviews, KubernetesSettings settings) {
        this.reviews = reviews;
        this.settings = settings;
        this.owners = Caffeine.newBuilder()
                .maximumSize(REMEMBERED)
                .expireAfterWrite(settings.cache())
                .build();
        this.answers = Caffeine.newBuilder()
                .maximumSize(REMEMBERED)
                .expireAfterWrite(settings.cache())
                .build();
    }

    private record Question(Owner owner, String verb, ResourceType type, String namespace, String name) {}

    boolean enabled() {
        return settings.enabled();
    }

    /** Whose the token is; empty if the management cluster does not know it. */
    Optional<Owner> owner(String token) {
        return owners.get(digest(token), absent -> reviews.owner(token, settings.audiences()));
    }

    /**
     * Whether the owner may do that with clusters or work items.
     *
     * @param action what
     * @param target with what
     */
    boolean mayDo(Owner owner, Action action, Target target) {
        String verb = verb(action, target);
        if (verb.isEmpty()) {
            return false;
        }
        // A name is no part of the question whether something may be created.
        String name = action == Action.CREATE ? "" : target.name();
        Question question = new Question(owner, verb, target.type(), target.namespace(), name);
        return answers.get(question, this::ask);
    }

    /** The verb that stands for the action; empty for what no token may do. */
    static String verb(Action action, Target target) {
        return switch (action) {
            case READ -> target.name().isEmpty() ? "list" : "get";
            case CREATE -> "create";
            case OPERATE -> "update";
            case DELETE -> "delete";
            case DEPLOY, ADMIN -> "";
        };
    }

    private boolean ask(Question question) {
        return reviews.mayDo(question.owner(), question.verb(), question.type(), question.namespace(), question.name());
    }

    /** What may be kept of a token. */
    static String digest(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java runtime has SHA-256", e);
        }
    }
}
