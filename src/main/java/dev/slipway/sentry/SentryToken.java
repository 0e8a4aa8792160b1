package dev.slipway.sentry;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Access;
import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Outcome.Done;
import dev.slipway.phase.PhaseContext;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Makes sure that the account has one token, which the API server accepts and which may do what is needed.
 *
 * <p>A token that is void or near its end is replaced; the Secret of the old one goes after the new one was proven.
 */
@Component
public class SentryToken {

    /** The fact with the name of the Secret that holds the token. */
    public static final String TOKEN_SECRET = "sentryTokenSecret";

    /** The fact with the end of the token's life, ISO 8601; absent if it has none. */
    public static final String TOKEN_EXPIRES = "sentryTokenExpires";

    private final SentrySettings settings;
    private final SentryAccount accounts;
    private final TokenSource source;

    public SentryToken(SentrySettings settings, SentryAccount accounts) {
        this.settings = settings;
        this.accounts = accounts;
        this.source = switch (settings.token()) {
            case SECRET -> new SecretTokens(settings);
            case REQUEST -> new RequestedTokens(settings);
        };
    }

    /**
     * Looks at the account first, then proves the token that is there, or gets another one. Leaves older ones alone.
     *
     * @return done with the facts of {@link WorkloadNamespace}, {@link #TOKEN_SECRET} and {@link #TOKEN_EXPIRES}
     */
    public Outcome ensure(PhaseContext context, Workload workload) {
        return find(context, workload, this::report);
    }

    /**
     * The same, then hands the token over, then deletes the Secret of an older one.
     *
     * @param handOver is given the token once it is proven; answers what is in the way of having it handed over, empty if
     *     nothing is. If something is, or it throws, nothing is deleted
     */
    public Outcome ensure(PhaseContext context, Workload workload, Function<Token, Optional<Outcome>> handOver) {
        return find(context, workload, (ready, proven) -> handOver.apply(proven.token())
                .orElseGet(() -> {
                    deleteOthers(workload, proven.secret());
                    return report(ready, proven);
                }));
    }

    private Outcome find(
            PhaseContext context, Workload workload, BiFunction<Done, TokenSource.Proven, Outcome> proceed) {
        Outcome account = accounts.ensure(context, workload);
        if (!(account instanceof Done ready)) {
            return account;
        }
        Optional<KubeObject> stored = accounts.read(workload);
        if (stored.isEmpty()) {
            return SentryAccount.vanished(settings);
        }
        TokenSource.Found found = source.look(new TokenSource.Scene(context, workload, stored.get()));
        if (found instanceof TokenSource.Missing missing) {
            return missing.outcome();
        }
        TokenSource.Proven proven = (TokenSource.Proven) found;
        if (!proven.denied().isEmpty()) {
            return denied(proven.denied());
        }
        return proceed.apply(ready, proven);
    }

    private Outcome denied(List<Access> denied) {
        String what = denied.stream().map(Access::display).collect(Collectors.joining(", "));
        return Outcome.waiting(
                "WaitingForSentryRights",
                "the token of the " + settings.display() + " is accepted but may not: " + what + "; the ClusterRole "
                        + settings.roleName() + " must allow what slipway.sentry.rights asks for");
    }

    private void deleteOthers(Workload workload, String proven) {
        for (String name : TokenSecrets.names(settings)) {
            if (!name.equals(proven)) {
                TokenSecrets.read(workload, settings, name)
                        .filter(secret -> Ownership.isOurs(secret) && !secret.deleting())
                        .ifPresent(secret ->
                                workload.writer().delete(ResourceType.SECRETS, secret.namespace(), name, secret.uid()));
            }
        }
    }

    private Outcome report(Done account, TokenSource.Proven proven) {
        String until = proven.expires().map(end -> " until " + end).orElse("");
        Done done = new Done(
                        "the token in the Secret " + settings.namespace() + "/" + proven.secret() + " is accepted as "
                                + settings.user() + until,
                        account.facts())
                .with(TOKEN_SECRET, proven.secret());
        return proven.expires()
                .map(end -> done.with(TOKEN_EXPIRES, end.toString()))
                .orElse(done);
    }
}
