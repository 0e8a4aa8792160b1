package dev.slipway.engine.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.camunda.bpm.engine.IdentityService;
import org.camunda.bpm.engine.identity.Group;
import org.camunda.bpm.engine.identity.User;
import org.springframework.stereotype.Component;

/**
 * The engine's users: their passwords, their groups.
 *
 * <p>Nobody can tell from the answers whether a user exists or the password is wrong.
 */
@Component
public class EngineAccounts {

    private static final int STAMP_BYTES = 8;

    private final IdentityService identity;

    EngineAccounts(IdentityService identity) {
        this.identity = identity;
    }

    /**
     * A user.
     *
     * @param name the id
     * @param displayName first and last name, or the id
     * @param groups the ids of the groups
     * @param stamp changes when the password does, and says nothing about it
     */
    public record Account(String name, String displayName, List<String> groups, String stamp) {}

    /** The user, if that is their password. */
    public Optional<Account> verify(String name, String password) {
        boolean right = !name.isEmpty() && !password.isEmpty() && identity.checkPassword(name, password);
        return right ? find(name) : Optional.empty();
    }

    /** The user as they are now. */
    public Optional<Account> find(String name) {
        User user = identity.createUserQuery().userId(name).singleResult();
        return user == null
                ? Optional.empty()
                : Optional.of(new Account(user.getId(), displayName(user), groups(user.getId()), stamp(user)));
    }

    private List<String> groups(String name) {
        return identity.createGroupQuery().groupMember(name).list().stream()
                .map(Group::getId)
                .sorted()
                .toList();
    }

    private static String displayName(User user) {
        String both = Stream.of(user.getFirstName(), user.getLastName())
                .filter(part -> part != null && !part.isBlank())
                .collect(Collectors.joining(" "));
        return both.isEmpty() ? user.getId() : both;
    }

    /** Of the hash that the engine stores. */
    private static String stamp(User user) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(String.valueOf(user.getPassword()).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(digest, STAMP_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java runtime has SHA-256", e);
        }
    }
}
