package dev.slipway.chaos;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** The chaos run as a program: prints a report, and ends with 1 if anything was lost or doubled. */
public final class Chaos {

    private Chaos() {}

    /** Runs it; the arguments are told by {@link ChaosOptions#USAGE}. */
    public static void main(String[] arguments) throws Exception {
        // Netty tells of each connection that an outage refused.
        ((Logger) LoggerFactory.getLogger("io.netty")).setLevel(Level.OFF);
        ChaosOptions options;
        try {
            options = ChaosOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        ChaosReport report;
        try (ChaosRun run = new ChaosRun(options, line -> System.out.println("[chaos] " + line))) {
            report = run.run();
        }
        System.out.println(report.text());
        System.exit(report.violations().isEmpty() ? 0 : 1);
    }
}
