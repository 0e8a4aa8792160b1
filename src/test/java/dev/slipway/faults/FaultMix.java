package dev.slipway.faults;

import static dev.slipway.faults.Calls.all;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.verb;
import static dev.slipway.faults.Calls.writes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Faults to run under for a while, rather than one to prove something with.
 *
 * @param sorts what goes wrong
 * @param share of the calls that go wrong, for each sort, from 0 to 1
 */
public record FaultMix(Set<Sort> sorts, double share) {

    private static final double LIGHT = 0.005;
    /** A phase that makes a dozen calls then gets through once in four runs. */
    private static final double HEAVY = 0.02;
    /** Watches are opened rarely: with the same share they would hardly ever be hit. */
    private static final int WATCHES = 10;

    /** What can be chosen, by the name on the command line. */
    enum Sort {
        CONFLICTS((faults, share) -> faults.on(verb("create", "patch", "update", "delete"))
                .chance(share)
                .conflict()),
        TOO_MANY_REQUESTS((faults, share) -> faults.on(all()).chance(share).overload(Duration.ofSeconds(1))),
        SERVER_ERRORS((faults, share) -> {
            faults.on(all()).chance(share / 2).serverError(500);
            faults.on(all()).chance(share / 2).serverError(504);
        }),
        PROXY_ERRORS((faults, share) -> {
            faults.on(all()).chance(share / 2).proxyError(502);
            faults.on(all()).chance(share / 2).proxyError(503);
        }),
        GONE((faults, share) -> faults.on(verb("list", "watch")).chance(share).gone()),
        RESETS((faults, share) -> faults.on(all()).chance(share).reset()),
        LOST_ANSWERS((faults, share) -> faults.on(writes()).chance(share).loseAnswer()),
        SLOW_ANSWERS((faults, share) -> {
            // The clients' deadline is 10 s: some of them run into it.
            faults.on(verb("get", "list", "create", "patch")).chance(share).slowHead(Duration.ofSeconds(2));
            faults.on(all()).chance(share / 10).slowHead(Duration.ofSeconds(12));
            faults.on(all()).chance(share).slowBody(Duration.ofSeconds(2));
        }),
        STALE_READS((faults, share) -> faults.on(
                        resource("secrets", "clusters", "machines", "machinedeployments", "kubeadmcontrolplanes"))
                .chance(share)
                .stale(Duration.ofSeconds(3))),
        WATCH_LAG((faults, share) ->
                faults.on(all()).chance(Math.min(1, share * WATCHES)).delayEvents(Duration.ofSeconds(30))),
        WATCH_ORDER((faults, share) ->
                faults.on(all()).chance(Math.min(1, share * WATCHES)).reorderEvents()),
        WATCH_DROPS((faults, share) ->
                faults.on(all()).chance(Math.min(1, share * WATCHES)).cutWatch(Duration.ofSeconds(3))),
        WATCH_SILENCE((faults, share) ->
                faults.on(all()).chance(Math.min(1, share * WATCHES)).silence(Duration.ofSeconds(1))),
        WATCH_EXPIRY((faults, share) ->
                faults.on(all()).chance(Math.min(1, share * WATCHES)).expireWatch(Duration.ofSeconds(2))),
        OUTAGES((faults, share) -> faults.outages(Duration.ofSeconds((long) (1 / share)), Duration.ofSeconds(4)));

        @SuppressWarnings("ImmutableEnumChecker") // The lambdas above hold no state.
        private final BiConsumer<FaultInjector, Double> script;

        Sort(BiConsumer<FaultInjector, Double> script) {
            this.script = script;
        }

        String argument() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    /** No faults at all. */
    public static FaultMix none() {
        return new FaultMix(Set.of(), 0);
    }

    /** Everything, in one of 50 calls for each sort. */
    public static FaultMix heavy() {
        return new FaultMix(EnumSet.allOf(Sort.class), HEAVY);
    }

    /**
     * Reads {@code none}, {@code light}, {@code heavy}, or a list of sorts such as {@code conflicts,lost-answers}.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    public static FaultMix parse(String text) {
        return switch (text) {
            case "none" -> none();
            case "light" -> new FaultMix(EnumSet.allOf(Sort.class), LIGHT);
            case "heavy" -> heavy();
            default -> {
                Set<Sort> sorts = EnumSet.noneOf(Sort.class);
                Arrays.stream(text.split(",")).map(FaultMix::sort).forEach(sorts::add);
                yield new FaultMix(sorts, HEAVY);
            }
        };
    }

    /** What can be given, for usage texts. */
    public static String usage() {
        return "none, light, heavy, or a list of "
                + Arrays.stream(Sort.values()).map(Sort::argument).collect(Collectors.joining(", "));
    }

    /** Whether nothing goes wrong. */
    public boolean empty() {
        return sorts.isEmpty();
    }

    /** Begins; {@link FaultInjector#clear} ends it. */
    public void startIn(FaultInjector faults) {
        List<Sort> ordered = new ArrayList<>(EnumSet.allOf(Sort.class));
        ordered.retainAll(sorts);
        ordered.forEach(sort -> sort.script.accept(faults, share));
    }

    private static Sort sort(String argument) {
        return Arrays.stream(Sort.values())
                .filter(sort -> sort.argument().equals(argument.strip()))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("Unknown fault \"" + argument + "\": choose " + usage()));
    }
}
