package dev.slipway.sandbox;

import dev.slipway.faults.FaultMix;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How the sandbox was asked to start.
 *
 * @param onlyControlPlane start no Slipway, only what it works on
 * @param controllers run Kubernetes' own controllers for garbage and namespaces
 * @param sample apply the sample that becomes Ready
 * @param maximumServers how many workload API servers run at a time
 * @param delay how long each step of a simulated cluster takes
 * @param faults what goes wrong between Slipway and the management API
 * @param forSlipway arguments handed to Slipway
 */
record SandboxOptions(
        boolean onlyControlPlane,
        boolean controllers,
        boolean sample,
        int maximumServers,
        Duration delay,
        FaultMix faults,
        List<String> forSlipway) {

    static final String USAGE =
            """
            Arguments of the sandbox (-Dspring-boot.run.arguments="..." with Maven):
              --only-control-plane         start no Slipway, and print how to start one
              --no-sample                  do not apply deploy/samples/ready.yaml
              --no-controllers             no garbage collector and namespace controller
              --max-workload-servers=4     how many real workload API servers run at a time
              --delay=2s                   how long each step of a simulated cluster takes (ms, s, m, h)
              --faults=none                what goes wrong between Slipway and the management API: none, light, heavy,
                                           or a list such as conflicts,lost-answers,watch-lag
              --server.port=8080 and other properties with a dot go to Slipway""";

    /**
     * Reads the arguments.
     *
     * @throws IllegalArgumentException if one is unknown or makes no sense
     */
    static SandboxOptions parse(String... arguments) {
        boolean onlyControlPlane = false;
        boolean controllers = true;
        boolean sample = true;
        int maximumServers = 4;
        Duration delay = Duration.ofSeconds(2);
        FaultMix faults = FaultMix.none();
        List<String> forSlipway = new ArrayList<>();
        for (String argument : arguments) {
            String name = argument.split("=", 2)[0];
            String value = argument.substring(Math.min(argument.length(), name.length() + 1));
            switch (name) {
                case "--only-control-plane" -> onlyControlPlane = true;
                case "--no-sample" -> sample = false;
                case "--no-controllers" -> controllers = false;
                case "--max-workload-servers" -> maximumServers = number(argument, value);
                case "--delay" -> delay = Behaviour.duration(argument, value);
                case "--faults" -> faults = FaultMix.parse(value);
                default -> forSlipway.add(property(argument, name));
            }
        }
        return new SandboxOptions(onlyControlPlane, controllers, sample, maximumServers, delay, faults, forSlipway);
    }

    /** Whether Slipway was given that property. */
    boolean gives(String property) {
        return forSlipway.stream().anyMatch(argument -> argument.startsWith("--" + property + "="));
    }

    private static int number(String argument, String value) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(argument + ": not a number", e);
        }
        throw new IllegalArgumentException(argument + ": must not be negative");
    }

    private static String property(String argument, String name) {
        if (argument.startsWith("--") && name.contains(".")) {
            return argument;
        }
        throw new IllegalArgumentException("Unknown argument " + argument + System.lineSeparator() + USAGE);
    }
}
