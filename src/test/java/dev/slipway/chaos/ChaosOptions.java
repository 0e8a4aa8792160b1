package dev.slipway.chaos;

import dev.slipway.faults.FaultMix;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How a chaos run goes.
 *
 * @param clusters how many clusters, those with a defect among them
 * @param broken how many of them have a defect
 * @param kills how many times Slipway is killed by force
 * @param time how long faults and kills last
 * @param settle how long everything may take to settle afterwards
 * @param faults what goes wrong on the wire
 * @param seed what faults, kills and starts are drawn from
 * @param postgres PostgreSQL instead of an H2 file
 * @param stuckScale {@code slipway.phases.stuck-scale}
 * @param folder for logs, database and audit log; emptied at the start
 */
public record ChaosOptions(
        int clusters,
        int broken,
        int kills,
        Duration time,
        Duration settle,
        FaultMix faults,
        long seed,
        boolean postgres,
        double stuckScale,
        Path folder) {

    static final String USAGE =
            """
            Arguments of the chaos run (-Dspring-boot.run.arguments="..." with Maven):
              --clusters=50        how many clusters are built
              --broken=6           how many of them have a defect that no retry heals
              --kills=8            how many times Slipway is killed by force
              --time=480           seconds of faults and kills
              --settle=600         seconds that everything may take to settle afterwards
              --faults=heavy       what goes wrong on the wire: %s
              --seed=1             what is drawn at random is drawn from it
              --database=h2        or postgres
              --stuck-scale=0.05   factor on the diagrams' stuck timers
              --folder=target/chaos"""
                    .formatted(FaultMix.usage());

    /** The long run, by default. */
    static ChaosOptions defaults() {
        return new ChaosOptions(
                50,
                6,
                8,
                Duration.ofMinutes(8),
                Duration.ofMinutes(10),
                FaultMix.heavy(),
                1,
                false,
                0.05,
                Path.of("target", "chaos"));
    }

    /**
     * Reads the arguments.
     *
     * @throws IllegalArgumentException if one is unknown or makes no sense
     */
    static ChaosOptions parse(String... arguments) {
        ChaosOptions options = defaults();
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            try {
                options = options.with(parts[0], parts.length == 2 ? parts[1] : "");
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(argument + ": not a number" + System.lineSeparator() + USAGE, e);
            }
        }
        if (options.broken > options.clusters) {
            throw new IllegalArgumentException("--broken must not be more than --clusters");
        }
        return options;
    }

    private ChaosOptions with(String name, String value) {
        return switch (name) {
            case "--clusters" -> copy(Integer.parseInt(value), broken, kills, time, settle);
            case "--broken" -> copy(clusters, Integer.parseInt(value), kills, time, settle);
            case "--kills" -> copy(clusters, broken, Integer.parseInt(value), time, settle);
            case "--time" -> copy(clusters, broken, kills, Duration.ofSeconds(Long.parseLong(value)), settle);
            case "--settle" -> copy(clusters, broken, kills, time, Duration.ofSeconds(Long.parseLong(value)));
            case "--faults" -> copy(FaultMix.parse(value), seed, postgres, stuckScale, folder);
            case "--seed" -> copy(faults, Long.parseLong(value), postgres, stuckScale, folder);
            case "--database" -> copy(faults, seed, postgres(value), stuckScale, folder);
            case "--stuck-scale" -> copy(faults, seed, postgres, Double.parseDouble(value), folder);
            case "--folder" -> copy(faults, seed, postgres, stuckScale, Path.of(value));
            default -> throw new IllegalArgumentException("Unknown argument " + name + System.lineSeparator() + USAGE);
        };
    }

    private static boolean postgres(String database) {
        return switch (database) {
            case "h2" -> false;
            case "postgres" -> true;
            default -> throw new IllegalArgumentException("--database is h2 or postgres, not " + database);
        };
    }

    private ChaosOptions copy(int all, int bad, int times, Duration lasting, Duration settling) {
        return new ChaosOptions(all, bad, times, lasting, settling, faults, seed, postgres, stuckScale, folder);
    }

    private ChaosOptions copy(FaultMix mix, long draws, boolean withPostgres, double scale, Path where) {
        return new ChaosOptions(clusters, broken, kills, time, settle, mix, draws, withPostgres, scale, where);
    }
}
