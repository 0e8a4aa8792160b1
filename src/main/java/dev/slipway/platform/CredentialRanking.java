package dev.slipway.platform;

import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.platform.CredentialCandidate.Use;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides which one of a cluster's credentials stays, which go, and which a person must decide on.
 *
 * <p>Decides on what it is given and nothing else: the same candidates, in any order, give the same decision. A
 * credential is collected only while the kept one is accepted, so an accepted one is always left.
 */
public final class CredentialRanking {

    private static final Comparator<CredentialCandidate> BEST_FIRST = Comparator.comparing(
                    (CredentialCandidate c) -> c.use() == Use.THIS_CLUSTER)
            .thenComparing(CredentialCandidate::proof)
            .thenComparing(CredentialCandidate::created)
            .thenComparing(CredentialCandidate::createdByUs)
            .reversed()
            .thenComparing(CredentialCandidate::name)
            .thenComparing(CredentialCandidate::uid);

    private CredentialRanking() {}

    /**
     * What an operator decided on a cluster's credentials. Neither makes one go that is in use, or the last accepted one.
     *
     * @param keep the name of the one to keep; it counts if that one may be kept at all
     * @param collect the names of those that may go, whatever the policy and however young
     */
    public record Wishes(Optional<String> keep, Set<String> collect) {

        /** Nobody decided anything. */
        public static final Wishes NONE = new Wishes(Optional.empty(), Set.of());

        public Wishes {
            collect = Set.copyOf(collect);
        }

        /** The same, but that one is kept. */
        public Wishes keeping(String name) {
            return new Wishes(Optional.of(name), collect);
        }
    }

    /** What happens to credentials that are too many. */
    public enum Policy {
        /** Those that nobody uses are collected. */
        AUTO,
        /** A person decides on each. */
        ASK
    }

    /** Why a credential is left to a person, or to a later look. */
    public enum Reason {
        /** The policy says so. */
        POLICY_ASKS(false, "the policy leaves the decision to a person"),
        /** A platform Cluster of another name refers to it, or it names another cluster. */
        USED_BY_ANOTHER_CLUSTER(false, "another cluster uses it"),
        /** More than one is referred to. */
        STILL_REFERENCED(false, "the platform Cluster refers to it as well"),
        /** Nothing is collected until the kept one is accepted by the workload cluster. */
        KEPT_ONE_UNPROVEN(true, "the credential to keep is not yet accepted by the workload cluster"),
        /** Somebody may be about to refer to it. */
        TOO_YOUNG(true, "it is too young");

        private final boolean passes;
        private final String text;

        Reason(boolean passes, String text) {
            this.passes = passes;
            this.text = text;
        }

        /** Whether a later look may find otherwise without a person. */
        public boolean passes() {
            return passes;
        }

        /** For people: the end of the sentence "it is not collected: …". */
        public String text() {
            return text;
        }
    }

    /**
     * A credential that is not collected, and why.
     *
     * @param credential the credential
     * @param reason why it is left
     * @param until for one that is too young: when it is old enough
     */
    public record Left(CredentialCandidate credential, Reason reason, Optional<Instant> until) {

        /** For people: name, creation time and reason. */
        public String sentence() {
            return credential.name() + " (created " + credential.created() + "): " + reason.text()
                    + until.map(time -> ", until " + time).orElse("");
        }
    }

    /** For people: those that are not collected, with their creation times, together by reason. */
    public static String sentence(List<Left> left) {
        Map<Reason, List<Left>> byReason = new EnumMap<>(Reason.class);
        left.forEach(one -> byReason.computeIfAbsent(one.reason(), reason -> new ArrayList<>())
                .add(one));
        return byReason.entrySet().stream()
                .map(entry -> "each because " + entry.getKey().text() + ": "
                        + entry.getValue().stream()
                                .map(one -> one.credential().name() + " (created "
                                        + one.credential().created() + ")")
                                .collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; "));
    }

    /**
     * What to do.
     *
     * @param keep the one to keep; empty if there is none to choose from
     * @param why for people: why that one
     * @param collect to be deleted now, with their UIDs as precondition; worst first
     * @param ask not to be deleted by the policy; best first
     * @param going whose deletion was requested already
     */
    public record Decision(
            Optional<CredentialCandidate> keep,
            String why,
            List<CredentialCandidate> collect,
            List<Left> ask,
            List<CredentialCandidate> going) {

        public Decision {
            collect = List.copyOf(collect);
            ask = List.copyOf(ask);
            going = List.copyOf(going);
        }

        /** Whether exactly one credential is there and nothing is left to do. */
        public boolean single() {
            return keep.isPresent() && collect.isEmpty() && ask.isEmpty() && going.isEmpty();
        }

        /** Whether a person must decide on some of them. */
        public boolean needsPerson() {
            return ask.stream().anyMatch(left -> !left.reason().passes());
        }
    }

    /** Decides, as nobody wished for anything. */
    public static Decision decide(
            List<CredentialCandidate> candidates, Policy policy, Duration minimumAge, Instant now) {
        return decide(candidates, policy, minimumAge, Wishes.NONE, now);
    }

    /**
     * Decides.
     *
     * @param minimumAge how old an unreferenced credential must be: a younger one may be somebody's who is about to
     *     refer to it
     */
    public static Decision decide(
            List<CredentialCandidate> candidates, Policy policy, Duration minimumAge, Wishes wishes, Instant now) {
        List<CredentialCandidate> ranked =
                candidates.stream().sorted(BEST_FIRST).toList();
        Optional<CredentialCandidate> keep = ranked.stream()
                .filter(CredentialRanking::keepable)
                .filter(c -> wishes.keep().filter(c.name()::equals).isPresent())
                .findFirst()
                .or(() -> ranked.stream().filter(CredentialRanking::keepable).findFirst());
        boolean proven = keep.filter(c -> c.proof() == Proof.ACCEPTED).isPresent();
        List<CredentialCandidate> collect = new ArrayList<>();
        List<Left> ask = new ArrayList<>();
        List<CredentialCandidate> going = new ArrayList<>();
        for (CredentialCandidate candidate : ranked) {
            if (candidate.deleting()) {
                going.add(candidate);
            } else if (!keep.filter(candidate::equals).isPresent()) {
                Instant oldEnough = candidate.created().plus(minimumAge);
                // Who names it knows that nobody is about to refer to it.
                boolean wished = wishes.collect().contains(candidate.name());
                reason(candidate, wished ? Policy.AUTO : policy, proven, wished || oldEnough.isBefore(now))
                        .ifPresentOrElse(
                                reason -> ask.add(left(candidate, reason, oldEnough)), () -> collect.add(0, candidate));
            }
        }
        return new Decision(
                keep, keep.map(CredentialRanking::why).orElse("there is none to keep"), collect, ask, going);
    }

    /** Whether it may be the one that stays: it is not going, and nobody else's. */
    public static boolean keepable(CredentialCandidate candidate) {
        return !candidate.deleting() && candidate.use() != Use.ANOTHER_CLUSTER;
    }

    /** Why a credential that is too many is not collected; empty if it is. What never passes by itself comes first. */
    private static Optional<Reason> reason(
            CredentialCandidate candidate, Policy policy, boolean proven, boolean oldEnough) {
        if (candidate.use() == Use.ANOTHER_CLUSTER) {
            return Optional.of(Reason.USED_BY_ANOTHER_CLUSTER);
        }
        if (candidate.use() == Use.THIS_CLUSTER) {
            return Optional.of(Reason.STILL_REFERENCED);
        }
        if (policy == Policy.ASK) {
            return Optional.of(Reason.POLICY_ASKS);
        }
        if (!proven) {
            return Optional.of(Reason.KEPT_ONE_UNPROVEN);
        }
        return oldEnough ? Optional.empty() : Optional.of(Reason.TOO_YOUNG);
    }

    private static Left left(CredentialCandidate candidate, Reason reason, Instant oldEnough) {
        return new Left(candidate, reason, reason == Reason.TOO_YOUNG ? Optional.of(oldEnough) : Optional.empty());
    }

    private static String why(CredentialCandidate kept) {
        String use = kept.use() == Use.THIS_CLUSTER ? "the platform Cluster refers to it" : "nothing refers to it";
        String proof =
                switch (kept.proof()) {
                    case ACCEPTED -> "the workload cluster accepts it";
                    case UNKNOWN -> "nobody knows yet whether the workload cluster accepts it";
                    case REFUSED -> "the workload cluster refuses it: it must be updated";
                };
        return kept.name() + " (created " + kept.created() + ") is kept: " + use + ", " + proof;
    }
}
