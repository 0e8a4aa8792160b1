package dev.slipway.platform;

import static dev.slipway.platform.CredentialCandidate.Proof.ACCEPTED;
import static dev.slipway.platform.CredentialCandidate.Proof.REFUSED;
import static dev.slipway.platform.CredentialCandidate.Proof.UNKNOWN;
import static dev.slipway.platform.CredentialCandidate.Use.ANOTHER_CLUSTER;
import static dev.slipway.platform.CredentialCandidate.Use.NONE;
import static dev.slipway.platform.CredentialCandidate.Use.THIS_CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.platform.CredentialCandidate.Proof;
import dev.slipway.platform.CredentialCandidate.Use;
import dev.slipway.platform.CredentialRanking.Decision;
import dev.slipway.platform.CredentialRanking.Policy;
import dev.slipway.platform.CredentialRanking.Reason;
import dev.slipway.platform.CredentialRanking.Wishes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of several credentials stays. */
class CredentialRankingTest {

    private static final Duration AGE = Duration.ofMinutes(10);
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final int WORLDS = 5000;

    /** A credential is written {@code name/use/proof/minutes old/flags}: {@code u} by us, {@code d} being deleted. */
    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            nothing                          | AUTO |                                            |   |     |
            one                              | AUTO | a/none/accepted/60                         | a |     |
            one of which nobody knows        | AUTO | a/none/unknown/60                          | a |     |
            one that is refused              | AUTO | a/none/refused/60                          | a |     |
            one just made                    | ASK  | a/none/accepted/0                          | a |     |
            only one of another cluster      | AUTO | a/other/accepted/60                        |   |     | a:USED_BY_ANOTHER_CLUSTER
            the referenced one wins          | AUTO | a/this/accepted/60 b/none/accepted/20      | a | b   |
            though it is older and unknown   | AUTO | a/this/unknown/60 b/none/accepted/20       | a |     | b:KEPT_ONE_UNPROVEN
            though it is refused             | AUTO | a/this/refused/60 b/none/accepted/20       | a |     | b:KEPT_ONE_UNPROVEN
            unproven one, refused others     | AUTO | a/this/unknown/60 b/none/refused/20        | a |     | b:KEPT_ONE_UNPROVEN
            all refused                      | AUTO | a/none/refused/60 b/none/refused/20        | b |     | a:KEPT_ONE_UNPROVEN
            the accepted one wins            | AUTO | a/none/accepted/60 b/none/unknown/20       | a | b   |
            unknown wins over refused        | AUTO | a/none/unknown/60 b/none/refused/20        | a |     | b:KEPT_ONE_UNPROVEN
            the newer one wins               | AUTO | a/none/accepted/60 b/none/accepted/20      | b | a   |
            of equal age ours wins           | AUTO | a/none/accepted/20 b/none/accepted/20/u    | b | a   |
            of equal age the name decides    | AUTO | b/none/accepted/20 a/none/accepted/20      | a | b   |
            the policy asks                  | ASK  | a/this/accepted/60 b/none/accepted/20      | a |     | b:POLICY_ASKS
            the policy asks of refused too   | ASK  | a/this/accepted/60 b/none/refused/20       | a |     | b:POLICY_ASKS
            young ones wait                  | AUTO | a/this/accepted/60 b/none/accepted/9       | a |     | b:TOO_YOUNG
            ten minutes are not enough       | AUTO | a/this/accepted/60 b/none/refused/10       | a |     | b:TOO_YOUNG
            eleven are                       | AUTO | a/this/accepted/60 b/none/refused/11       | a | b   |
            made in the future is young      | AUTO | a/this/accepted/60 b/none/refused/-5       | a |     | b:TOO_YOUNG
            two referenced                   | AUTO | a/this/accepted/60 b/this/accepted/20      | b |     | a:STILL_REFERENCED
            two referenced, policy asks      | ASK  | a/this/accepted/60 b/this/refused/20       | a |     | b:STILL_REFERENCED
            another cluster's stays          | AUTO | a/none/refused/60 b/other/accepted/20      | a |     | b:USED_BY_ANOTHER_CLUSTER
            another cluster's, policy asks   | ASK  | a/this/accepted/60 b/other/accepted/20     | a |     | b:USED_BY_ANOTHER_CLUSTER
            one being deleted is not kept    | AUTO | a/this/accepted/60/d b/none/accepted/20    | b |     |
            one being deleted is not counted | AUTO | a/this/accepted/60 b/none/accepted/20/d    | a |     |
            all being deleted                | AUTO | a/this/accepted/60/d b/none/accepted/20/d  |   |     |
            five                             | AUTO | a/none/accepted/90 b/none/refused/80 c/this/accepted/70 d/none/unknown/60 e/none/accepted/5 | c | b d a | e:TOO_YOUNG
            """)
    void decides(String world, Policy policy, String credentials, String keep, String collect, String ask) {
        // given
        List<CredentialCandidate> candidates = parse(credentials);

        // when
        Decision decision = CredentialRanking.decide(candidates, policy, AGE, NOW);

        // then
        assertThat(decision.keep().map(CredentialCandidate::name).orElse(null)).isEqualTo(keep);
        assertThat(names(decision.collect())).isEqualTo(collect == null ? "" : collect);
        assertThat(decision.ask().stream()
                        .map(left -> left.credential().name() + ":" + left.reason())
                        .collect(Collectors.joining(" ")))
                .isEqualTo(ask == null ? "" : ask);
    }

    @Test
    void saysWhyTheKeptOneIsKeptAndOthersAreLeft() {
        // when
        Decision decision = CredentialRanking.decide(
                parse("a/this/accepted/60 b/none/accepted/5 c/other/refused/30"), Policy.AUTO, AGE, NOW);

        // then
        assertThat(decision.why())
                .isEqualTo("a (created 2030-01-01T11:00:00Z) is kept: the platform Cluster refers to it, the workload"
                        + " cluster accepts it");
        assertThat(decision.ask().stream().map(CredentialRanking.Left::sentence))
                .containsExactly(
                        "b (created 2030-01-01T11:55:00Z): it is too young, until 2030-01-01T12:05:00Z",
                        "c (created 2030-01-01T11:30:00Z): another cluster uses it");
        assertThat(decision.needsPerson()).isTrue();
    }

    @Test
    void aLaterLookAnswersWhatOnlyTimeOrAProofHoldsUp() {
        // then
        assertThat(Arrays.stream(Reason.values()).filter(Reason::passes))
                .containsExactlyInAnyOrder(Reason.TOO_YOUNG, Reason.KEPT_ONE_UNPROVEN);
    }

    @Test
    void neverCollectsTheLastAcceptedOneNorOneInUse() {
        // given
        Random random = new Random(7);
        for (int world = 0; world < WORLDS; world++) {
            List<CredentialCandidate> before = any(random);
            for (Policy policy : Policy.values()) {

                // when
                Decision decision = CredentialRanking.decide(before, policy, AGE, NOW);

                // then
                assertThat(decision.collect())
                        .as("%s", before)
                        .allMatch(c -> c.use() == NONE && !c.deleting())
                        .allMatch(c -> c.created().isBefore(NOW.minus(AGE)))
                        .noneMatch(c -> decision.keep().filter(c::equals).isPresent());
                if (!decision.collect().isEmpty()) {
                    assertThat(policy).isEqualTo(Policy.AUTO);
                    assertThat(rest(before, decision))
                            .as("%s", before)
                            .anyMatch(c -> c.proof() == ACCEPTED && !c.deleting() && c.use() != ANOTHER_CLUSTER);
                }
                int all = decision.collect().size()
                        + decision.ask().size()
                        + decision.going().size()
                        + decision.keep().stream().toList().size();
                assertThat(all).as("every credential is in one list").isEqualTo(before.size());
            }
        }
    }

    @Test
    void whatAnOperatorWishesNeverTakesTheLastAcceptedOneNorOneInUse() {
        // given
        Random random = new Random(17);
        for (int world = 0; world < WORLDS; world++) {
            List<CredentialCandidate> before = any(random);
            Wishes wishes =
                    new Wishes(Optional.of("c" + random.nextInt(3)), Set.of("c0", "c" + (1 + random.nextInt(2))));

            // when
            Decision decision = CredentialRanking.decide(before, Policy.ASK, AGE, wishes, NOW);

            // then
            assertThat(decision.collect())
                    .as("%s", before)
                    .allMatch(c -> c.use() == NONE && !c.deleting())
                    .allMatch(c -> wishes.collect().contains(c.name()))
                    .noneMatch(c -> decision.keep().filter(c::equals).isPresent());
            if (!decision.collect().isEmpty()) {
                assertThat(decision.keep())
                        .hasValueSatisfying(kept -> assertThat(kept.proof()).isEqualTo(ACCEPTED));
            }
            boolean possible = before.stream()
                    .anyMatch(c -> CredentialRanking.keepable(c)
                            && wishes.keep().filter(c.name()::equals).isPresent());
            if (possible) {
                assertThat(decision.keep().map(CredentialCandidate::name)).isEqualTo(wishes.keep());
            }
        }
    }

    @Test
    void whoIsNamedGoesThoughItIsYoungAndThePolicyAsks() {
        // given
        Wishes wishes = new Wishes(Optional.empty(), Set.of("b", "c")).keeping("a");

        // when
        Decision decision = CredentialRanking.decide(
                parse("a/none/accepted/60 b/none/accepted/1 c/this/refused/60 d/none/refused/60"),
                Policy.ASK,
                AGE,
                wishes,
                NOW);

        // then
        assertThat(decision.keep()).map(CredentialCandidate::name).contains("a");
        assertThat(names(decision.collect())).isEqualTo("b");
        assertThat(decision.ask().stream().map(left -> left.credential().name() + ":" + left.reason()))
                .containsExactly("c:STILL_REFERENCED", "d:POLICY_ASKS");
    }

    @Test
    void aSecondDecisionKeepsTheSameOneAndCollectsNothingMore() {
        // given
        Random random = new Random(11);
        for (int world = 0; world < WORLDS; world++) {
            List<CredentialCandidate> before = any(random);
            Decision first = CredentialRanking.decide(before, Policy.AUTO, AGE, NOW);

            // when
            Decision second = CredentialRanking.decide(rest(before, first), Policy.AUTO, AGE, NOW);

            // then
            assertThat(second.keep()).isEqualTo(first.keep());
            assertThat(second.collect()).isEmpty();
            assertThat(second.ask()).isEqualTo(first.ask());
        }
    }

    @Test
    void theOrderInWhichTheyAreListedDoesNotMatter() {
        // given
        Random random = new Random(13);
        for (int world = 0; world < WORLDS; world++) {
            List<CredentialCandidate> listed = any(random);
            List<CredentialCandidate> shuffled = new ArrayList<>(listed);
            Collections.shuffle(shuffled, random);

            // then
            assertThat(CredentialRanking.decide(shuffled, Policy.AUTO, AGE, NOW))
                    .isEqualTo(CredentialRanking.decide(listed, Policy.AUTO, AGE, NOW));
        }
    }

    private static List<CredentialCandidate> rest(List<CredentialCandidate> before, Decision decision) {
        return before.stream().filter(c -> !decision.collect().contains(c)).toList();
    }

    private static List<CredentialCandidate> any(Random random) {
        List<CredentialCandidate> candidates = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            candidates.add(new CredentialCandidate(
                    "c" + random.nextInt(3),
                    "uid-" + i,
                    NOW.minus(Duration.ofMinutes(random.nextInt(4) * 8L)),
                    Use.values()[random.nextInt(Use.values().length)],
                    Proof.values()[random.nextInt(Proof.values().length)],
                    random.nextBoolean(),
                    random.nextInt(5) == 0));
        }
        return candidates;
    }

    private static List<CredentialCandidate> parse(String credentials) {
        if (credentials == null) {
            return List.of();
        }
        return Arrays.stream(credentials.split(" "))
                .map(text -> text.split("/"))
                .map(parts -> new CredentialCandidate(
                        parts[0],
                        "uid-" + parts[0],
                        NOW.minus(Duration.ofMinutes(Long.parseLong(parts[3]))),
                        parts[1].equals("this") ? THIS_CLUSTER : parts[1].equals("other") ? ANOTHER_CLUSTER : NONE,
                        parts[2].equals("accepted") ? ACCEPTED : parts[2].equals("refused") ? REFUSED : UNKNOWN,
                        parts.length > 4 && parts[4].contains("u"),
                        parts.length > 4 && parts[4].contains("d")))
                .toList();
    }

    private static String names(List<CredentialCandidate> candidates) {
        return candidates.stream().map(CredentialCandidate::name).collect(Collectors.joining(" "));
    }
}
