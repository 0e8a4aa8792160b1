package dev.slipway.chaos;

import dev.slipway.faults.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a chaos run was, and what came of it.
 *
 * @param options how it went
 * @param faults faults injected, by kind
 * @param calls requests that came to the injector, by verb
 * @param kills how many times Slipway was killed
 * @param secrets writes of secrets that were carried out, by verb
 * @param chaos how long faults and kills lasted
 * @param settled how long it took afterwards until everything had settled
 * @param ready how many clusters are Ready
 * @param checks how many checks were made at the end
 * @param violations what must not be, and is
 */
public record ChaosReport(
        ChaosOptions options,
        Map<FaultKind, Long> faults,
        Map<String, Long> calls,
        int kills,
        Map<String, Integer> secrets,
        Duration chaos,
        Duration settled,
        long ready,
        int checks,
        List<String> violations) {

    /** The report as text. */
    String text() {
        String counted = faults.entrySet().stream()
                .map(fault ->
                        "  %6d  %s".formatted(fault.getValue(), fault.getKey().label()))
                .collect(Collectors.joining("\n"));
        String broken = violations.isEmpty()
                ? "none"
                : violations.stream().map(line -> "\n  * " + line).collect(Collectors.joining());
        return """

                Chaos run, seed %d, %s
                clusters          %d, of which %d with a defect; %d Ready
                kills             %d
                faults, %.0f s     %d in %d requests %s
                %s
                settled after     %.0f s without faults
                writes of secrets %s
                checks            %d
                violations        %s
                losses            %d
                """
                .formatted(
                        options.seed(),
                        options.postgres() ? "PostgreSQL" : "H2",
                        options.clusters(),
                        options.broken(),
                        ready,
                        kills,
                        chaos.toMillis() / 1000.0,
                        faults.values().stream().mapToLong(Long::longValue).sum(),
                        calls.values().stream().mapToLong(Long::longValue).sum(),
                        calls,
                        counted,
                        settled.toMillis() / 1000.0,
                        secrets,
                        checks,
                        broken,
                        options.clusters() - options.broken() - ready);
    }
}
