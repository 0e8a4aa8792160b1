package dev.slipway.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Slows down who guesses passwords.
 *
 * <ul>
 *   <li>Only failures count, and only what asks with a password or token: a session is never concerned.
 *   <li>By name and address; and where that name did not succeed before, also by address and by name alone. So who
 *       guesses does not keep out those who sign in from where they always do.
 *   <li>Parallel guesses run into debt, so that they gain nothing.
 *   <li>In the memory of this node, bounded; a restart forgives.
 * </ul>
 */
@Component
class SignInGuard {

    private static final int REMEMBERED = 50_000;
    private static final int NETWORK_BYTES = 8;

    private final SignInSettings settings;
    private final Clock clock;
    private final Cache<String, Bucket> buckets;
    private final Cache<String, Boolean> known =
            Caffeine.newBuilder().maximumSize(REMEMBERED).build();

    SignInGuard(SignInSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.buckets = Caffeine.newBuilder().maximumSize(REMEMBERED).build();
    }

    /**
     * Checks before the password is.
     *
     * @param name whose; of a token its digest
     * @param address from where
     * @throws TooManyAttempts if nothing is checked now
     */
    void check(String name, String address) {
        for (Bucket bucket : concerned(name, address)) {
            var estimate = bucket.estimateAbilityToConsume(1);
            if (!estimate.canBeConsumed()) {
                throw new TooManyAttempts(Duration.ofNanos(estimate.getNanosToWaitForRefill()));
            }
        }
    }

    /** Counts a wrong password or token. */
    void failed(String name, String address) {
        concerned(name, address).forEach(bucket -> bucket.consumeIgnoringRateLimits(1));
    }

    /** Forgives what that person got wrong before. */
    void succeeded(String name, String address) {
        String pair = pair(name, network(address));
        known.put(pair, true);
        buckets.invalidate(pair);
    }

    private List<Bucket> concerned(String name, String address) {
        String network = network(address);
        String pair = pair(name, network);
        Bucket ofPair = bucket(pair, settings.attempts());
        return known.getIfPresent(pair) != null
                ? List.of(ofPair)
                : List.of(
                        ofPair,
                        bucket("address " + network, settings.attemptsPerAddress()),
                        bucket("name " + name, settings.attemptsPerName()));
    }

    private Bucket bucket(String key, int attempts) {
        return buckets.get(key, absent -> Bucket.builder()
                .addLimit(Bandwidth.builder()
                        .capacity(attempts)
                        .refillGreedy(attempts, settings.per())
                        .build())
                .withCustomTimePrecision(new ClockMeter(clock))
                .build());
    }

    private static String pair(String name, String network) {
        return "pair " + network + " " + name;
    }

    /** Who has one IPv6 address usually has all of its /64. */
    static String network(String address) {
        try {
            // Literals only, so that no name is looked up.
            boolean literal = address.indexOf(':') >= 0;
            if (literal && InetAddress.getByName(address) instanceof Inet6Address six) {
                return HexFormat.of().formatHex(Arrays.copyOf(six.getAddress(), NETWORK_BYTES)) + "/64";
            }
        } catch (UnknownHostException e) {
            return address;
        }
        return address;
    }

    /** Buckets leak by the clock that everything else follows. */
    private record ClockMeter(Clock clock) implements TimeMeter {
        @Override
        public long currentTimeNanos() {
            return Duration.between(Instant.EPOCH, clock.instant()).toNanos();
        }

        @Override
        public boolean isWallClockBased() {
            return true;
        }
    }
}
