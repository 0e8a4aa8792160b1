package dev.slipway.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A child process that cannot outlive this JVM, however the JVM ends.
 *
 * <p>A shell stands between: it holds the read end of a pipe whose write end only this JVM has. When the pipe closes,
 * by {@link #close}, at exit, or because the JVM was killed by force, the shell kills its child.
 */
final class SupervisedProcess implements AutoCloseable {

    /** Arguments: a folder to remove at the end (or ""), then the command. Terminal signals are the JVM's business. */
    private static final String SUPERVISOR =
            """
            trap '' INT HUP TERM
            scratch=$1
            shift
            exec 3<&0
            "$@" 3<&- </dev/null &
            child=$!
            { while read -r line <&3; do :; done; kill -9 $child; } 2>/dev/null &
            watcher=$!
            exec 3<&-
            wait $child
            code=$?
            kill -9 $watcher 2>/dev/null
            if [ -n "$scratch" ]; then rm -rf -- "$scratch"; fi
            exit $code
            """;

    private static final int LOG_TAIL_LINES = 15;

    private final String name;
    private final Path log;
    private final Process process;

    private SupervisedProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a command.
     *
     * @param environment added to this JVM's own environment
     * @param scratch removed when the process has ended, whatever ended it; null for nothing
     */
    static SupervisedProcess start(
            String name, List<String> command, Map<String, String> environment, Path log, Path scratch) {
        return start(
                name, command, environment, log, scratch, log.toAbsolutePath().getParent());
    }

    private static SupervisedProcess start(
            String name, List<String> command, Map<String, String> environment, Path log, Path scratch, Path folder) {
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", SUPERVISOR, "supervisor"));
        line.add(scratch == null ? "" : scratch.toString());
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            return new SupervisedProcess(name, log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + name + ": " + command.get(0), e);
        }
    }

    /** Starts a command in a given folder. */
    static SupervisedProcess startIn(
            Path folder, String name, List<String> command, Map<String, String> environment, Path log) {
        return start(name, command, environment, log, null, folder);
    }

    String name() {
        return name;
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Waits for the end; false if it is still running after that time. */
    boolean await(Duration time) throws InterruptedException {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    int exitCode() {
        return process.exitValue();
    }

    /** The supervisor and the process itself, for tests that see them end. */
    List<ProcessHandle> handles() {
        List<ProcessHandle> handles = new ArrayList<>(process.descendants().toList());
        handles.add(process.toHandle());
        return handles;
    }

    String logText() {
        try {
            return Files.exists(log) ? Files.readString(log, StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            return "(unreadable: " + e.getMessage() + ")";
        }
    }

    /** What, where the log is, and how it ended: for the message of a failed start. */
    String describe() {
        List<String> lines = logText().lines().toList();
        String tail = String.join("\n  ", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        String state = alive() ? "still running" : "ended with code " + exitCode();
        return "%s (%s), log %s, last lines:%n  %s".formatted(name, state, log, tail);
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
