package dev.slipway.helm;

import com.marcnuri.helm.jni.HelmLib;
import com.sun.jna.Native;
import dev.slipway.helm.worker.Frames;
import dev.slipway.helm.worker.HelmWorker;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** Helm's native library and the class path of its processes, unpacked once into a folder that goes with it. */
public final class HelmRuntime implements AutoCloseable {

    private static final String LIBRARY = "helm-linux-amd64.so";
    /** All that a process is told of our environment: the rest could change what Helm does. */
    private static final Set<String> KEPT = Set.of(
            "PATH", "LANG", "HTTPS_PROXY", "NO_PROXY", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR");

    private final Path folder;
    private final String classPath;

    private HelmRuntime(Path folder, String classPath) {
        this.folder = folder;
        this.classPath = classPath;
    }

    /**
     * Unpacks the library, some 100 MB, into a new temporary folder.
     *
     * @throws Failure INVALID {@code HelmNotSupported} where there is no library for this platform
     */
    public static HelmRuntime unpack() {
        try {
            Path folder = Files.createTempDirectory("slipway-helm-");
            unpackLibrary(folder.resolve(LIBRARY));
            for (Class<?> type : List.of(HelmWorker.class, Frames.class)) {
                copyClass(type, folder.resolve("classes"));
            }
            Path api = copyJar(HelmLib.class, folder.resolve("api.jar"));
            Path jna = copyJar(Native.class, folder.resolve("jna.jar"));
            return new HelmRuntime(
                    folder, folder.resolve("classes") + File.pathSeparator + api + File.pathSeparator + jna);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot unpack Helm into the temporary folder: it needs 110 MB", e);
        }
    }

    /** The native library. */
    Path library() {
        return folder.resolve(LIBRARY);
    }

    /** A folder of its own for one call; nobody else can read it. */
    Path newFolder() throws IOException {
        return Files.createTempDirectory(folder, "call-");
    }

    /** A process that waits for its request. What it prints goes into its folder. */
    Process start(Path work) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-XX:ErrorFile=" + work.resolve("crash.log"),
                "-Djava.io.tmpdir=" + work,
                "-Djna.encoding=UTF-8",
                "-cp",
                classPath,
                HelmWorker.class.getName(),
                library().toString(),
                work.toString());
        builder.directory(work.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(KEPT);
        environment.put("HOME", work.toString());
        environment.put("KUBECONFIG", "/dev/null");
        environment.put("HELM_CACHE_HOME", work.resolve("cache").toString());
        environment.put("HELM_CONFIG_HOME", work.resolve("config").toString());
        environment.put("HELM_DATA_HOME", work.resolve("data").toString());
        environment.put(
                "HELM_REPOSITORY_CONFIG", work.resolve("repositories.yaml").toString());
        environment.put("HELM_REGISTRY_CONFIG", work.resolve("registry.json").toString());
        builder.redirectErrorStream(true).redirectOutput(work.resolve("printed").toFile());
        return builder.start();
    }

    @Override
    public void close() {
        FileSystemUtils.deleteRecursively(folder.toFile());
    }

    private static void unpackLibrary(Path target) throws IOException {
        String platform = System.getProperty("os.name").toLowerCase(Locale.ROOT) + "-" + System.getProperty("os.arch");
        try (InputStream library = platform.equals("linux-amd64") ? resource("/" + LIBRARY) : null) {
            if (library == null) {
                throw new Failure(
                        ErrorClass.INVALID,
                        "HelmNotSupported",
                        "Helm cannot run here: there is no library of it for " + platform + ".",
                        List.of("Run Slipway on nodes with linux-amd64."),
                        null,
                        null);
            }
            Files.copy(library, target);
        }
    }

    private static @Nullable InputStream resource(String name) {
        return HelmRuntime.class.getResourceAsStream(name);
    }

    private static void copyClass(Class<?> type, Path classes) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path target = classes.resolve(name);
        Files.createDirectories(target.resolve("..").normalize());
        try (InputStream bytes = resource("/" + name)) {
            if (bytes == null) {
                throw new IOException("No " + name);
            }
            Files.copy(bytes, target);
        }
    }

    /** Copies the jar a class comes from, also out of Spring Boot's jar of jars. */
    private static Path copyJar(Class<?> type, Path target) throws IOException {
        URL source = type.getProtectionDomain().getCodeSource().getLocation();
        String text = source.toString();
        // jar:nested:/slipway.jar/!BOOT-INF/lib/x.jar!/ is a folder; without jar: and !/ it is the file.
        URL file = text.startsWith("jar:") && text.endsWith("!/")
                ? URI.create(text.substring("jar:".length(), text.length() - "!/".length()))
                        .toURL()
                : source;
        try (InputStream bytes = file.openStream()) {
            Files.copy(bytes, target);
        }
        return target;
    }
}
