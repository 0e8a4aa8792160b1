package dev.slipway.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds etcd, kube-apiserver and kube-controller-manager.
 *
 * <p>In this order: {@code KUBEBUILDER_ASSETS}, the user's cache, a download into the cache, a build with Go into the
 * cache. Two JVMs never fill the cache at the same time.
 */
final class Binaries {

    /** A file lock excludes other JVMs only; threads of this one must not ask for it twice. */
    private static final Object THIS_JVM = new Object();

    private final Map<String, Path> found = new ConcurrentHashMap<>();
    private final Map<String, String> environment;
    private final Path cache;
    private final List<Source> sources;

    /** Puts a binary into a folder, or says why it cannot. */
    interface Source {

        /** What it is, for the message when nothing works. */
        String describe();

        /** Puts the binary there; throws {@link IOException} with one sentence why not. */
        void provide(String binary, Path target) throws IOException, InterruptedException;
    }

    Binaries(Map<String, String> environment, Path cache, List<Source> sources) {
        this.environment = environment;
        this.cache = cache;
        this.sources = sources;
    }

    /** Those of this machine. */
    static Binaries get() {
        return Holder.INSTANCE;
    }

    /** Finds a binary by all means; the first time may take minutes. */
    Path find(String binary) {
        return found.computeIfAbsent(binary, this::locate);
    }

    private Path locate(String binary) {
        List<String> tried = new ArrayList<>();
        return inAssets(binary, tried)
                .or(() -> inCache(binary, tried))
                .or(() -> provide(binary, tried))
                .orElseThrow(() -> new ControlPlane.StartFailed(
                        """
                        Cannot find or make %s. Tried:
                          - %s
                        Remedy: set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver (and kube-controller-manager \
                        for the sandbox), or put them into %s, or install Go, or allow the download."""
                                .formatted(binary, String.join("\n  - ", tried), cache)));
    }

    private Optional<Path> inAssets(String binary, List<String> tried) {
        String assets = environment.get("KUBEBUILDER_ASSETS");
        if (assets == null || assets.isBlank()) {
            tried.add("KUBEBUILDER_ASSETS is not set");
            return Optional.empty();
        }
        Path path = Path.of(assets, binary);
        if (Files.isExecutable(path)) {
            return Optional.of(path);
        }
        tried.add("KUBEBUILDER_ASSETS: no executable " + path);
        return Optional.empty();
    }

    private Optional<Path> inCache(String binary, List<String> tried) {
        Path path = cache.resolve(binary);
        if (Files.isExecutable(path)) {
            return Optional.of(path);
        }
        tried.add("cache: no executable " + path);
        return Optional.empty();
    }

    private Optional<Path> provide(String binary, List<String> tried) {
        try {
            Files.createDirectories(cache);
            synchronized (THIS_JVM) {
                try (FileChannel channel = FileChannel.open(
                                cache.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        FileLock lock = lock(channel, binary)) {
                    // Another JVM may have made it while this one waited for the lock.
                    Optional<Path> made = inCache(binary, new ArrayList<>());
                    return made.isPresent() ? made : provideLocked(binary, tried, lock);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot use the cache " + cache, e);
        }
    }

    private FileLock lock(FileChannel channel, String binary) throws IOException {
        FileLock lock = channel.tryLock();
        if (lock == null) {
            report("Waiting for another process that makes %s in %s".formatted(binary, cache));
            lock = channel.lock();
        }
        return lock;
    }

    private Optional<Path> provideLocked(String binary, List<String> tried, FileLock held) throws IOException {
        if (!held.isValid()) {
            throw new IOException("Lost the lock of " + cache);
        }
        for (Source source : sources) {
            Path target = Files.createTempFile(cache, "." + binary, ".part");
            try {
                source.provide(binary, target);
                if (!target.toFile().setExecutable(true)) {
                    throw new IOException("cannot make " + target + " executable");
                }
                return Optional.of(Files.move(target, cache.resolve(binary), StandardCopyOption.ATOMIC_MOVE));
            } catch (IOException e) {
                tried.add(source.describe() + ": " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("Interrupted while making " + binary, e);
            } finally {
                Files.deleteIfExists(target);
            }
        }
        return Optional.empty();
    }

    /** Progress goes to the terminal at once, also inside a test run. */
    static void report(String line) {
        System.err.println("[control plane] " + line);
    }

    /** {@code linux} or {@code darwin}, as Go names them. */
    static String os() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
    }

    /** {@code amd64} or {@code arm64}, as Go names them. */
    static String architecture() {
        String name = System.getProperty("os.arch");
        return "aarch64".equals(name) ? "arm64" : "x86_64".equals(name) ? "amd64" : name;
    }

    private static Path userCache(String version) {
        String base = System.getenv("XDG_CACHE_HOME");
        Path root = base == null || base.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(base);
        return root.resolve("slipway").resolve("control-plane").resolve(version + "-" + os() + "-" + architecture());
    }

    /** Created at first use. */
    private static final class Holder {
        private static final Binaries INSTANCE = create();

        private static Binaries create() {
            GoModule module = GoModule.find();
            String version = module.kubernetesVersion();
            return new Binaries(
                    System.getenv(), userCache(version), List.of(Download.configured(version), new GoBuild(module)));
        }
    }
}
