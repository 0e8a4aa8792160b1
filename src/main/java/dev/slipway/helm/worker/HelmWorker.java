package dev.slipway.helm.worker;

import com.marcnuri.helm.jni.HelmLib;
import com.marcnuri.helm.jni.InstallOptions;
import com.marcnuri.helm.jni.RegistryOptions;
import com.marcnuri.helm.jni.RepoOptions;
import com.marcnuri.helm.jni.Result;
import com.marcnuri.helm.jni.ShowOptions;
import com.marcnuri.helm.jni.TemplateOptions;
import com.marcnuri.helm.jni.UninstallOptions;
import com.marcnuri.helm.jni.UpgradeOptions;
import com.sun.jna.Native;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The main class of Helm's own process: one request on standard input, one answer in the file {@code answer}.
 *
 * <p>Ends when its standard input does, because then Slipway has died. What it writes stays in its working folder.
 */
public final class HelmWorker {

    /** What stands before the chart's name once its repository is known to Helm. */
    private static final String REPOSITORY = "repository";

    private final HelmLib helm;
    private final Path folder;

    private HelmWorker(HelmLib helm, Path folder) {
        this.helm = helm;
        this.folder = folder;
    }

    /** Runs one request. The arguments are the native library and the working folder. */
    public static void main(String[] args) throws IOException {
        InputStream in = System.in;
        Map<String, String> request = Frames.read(in);
        endWith(in);
        Path folder = Path.of(args[1]);
        HelmLib helm = Native.load(args[0], HelmLib.class);
        Map<String, String> answer = new HelmWorker(helm, folder).run(request);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Frames.write(bytes, answer);
        Files.write(folder.resolve("answer.new"), bytes.toByteArray());
        Files.move(folder.resolve("answer.new"), folder.resolve("answer"), StandardCopyOption.ATOMIC_MOVE);
        // Without hooks and without the Go threads that may still hold a connection.
        Runtime.getRuntime().halt(0);
    }

    private static void endWith(InputStream in) {
        Thread thread = new Thread(() -> {
            try {
                in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                // As good as the end.
                Runtime.getRuntime().halt(1);
            }
            Runtime.getRuntime().halt(1);
        });
        thread.setDaemon(true);
        thread.start();
    }

    private Map<String, String> run(Map<String, String> request) throws IOException {
        String operation = text(request, "operation");
        if (operation.equals("uninstall")) {
            return answer("release", uninstall(request));
        }
        @Nullable String authorities = authorities(request);
        @Nullable Map<String, String> failed = repository(request, authorities);
        if (failed != null) {
            return failed;
        }
        return switch (operation) {
            case "show" -> answer("repository", show(request, authorities));
            case "install" -> answer("release", planned(request, authorities, install(request, authorities)));
            case "upgrade" -> answer("release", planned(request, authorities, upgrade(request, authorities)));
            default -> throw new IllegalArgumentException("No operation " + operation);
        };
    }

    /** Makes the repository known to Helm; null if that went well. */
    private @Nullable Map<String, String> repository(Map<String, String> request, @Nullable String authorities) {
        if (!isRegistry(request)) {
            Result result = helm.RepoAdd(new RepoOptions(
                    repositories(),
                    REPOSITORY,
                    null,
                    text(request, "url"),
                    text(request, "user"),
                    text(request, "password"),
                    null,
                    null,
                    authorities,
                    0));
            return failed(result) || !Files.exists(Path.of(repositories())) ? answer("repository", result) : null;
        }
        if (text(request, "user").isEmpty()) {
            return null;
        }
        Result result = helm.RegistryLogin(new RegistryOptions(
                text(request, "host"),
                text(request, "user"),
                text(request, "password"),
                null,
                null,
                authorities,
                0,
                0,
                0));
        return failed(result) ? answer("repository", result) : null;
    }

    private Result show(Map<String, String> request, @Nullable String authorities) {
        return helm.Show(
                new ShowOptions(chart(request), "chart", text(request, "version"), null, null, authorities, 0, 0, 0));
    }

    private Result install(Map<String, String> request, @Nullable String authorities) throws IOException {
        InstallOptions options = new InstallOptions(
                text(request, "name"),
                0,
                null,
                text(request, "version"),
                chart(request),
                text(request, "namespace"),
                null,
                0,
                1,
                text(request, "description"),
                0,
                0,
                0,
                0,
                null,
                0,
                0,
                timeout(request),
                null,
                null,
                values(request),
                null,
                text(request, "kubeconfig"),
                null,
                null,
                authorities,
                0,
                0,
                null,
                0,
                0,
                repositories());
        if (isDryRun(request)) {
            options.dryRun = 1;
            options.dryRunOption = "server";
        }
        return helm.Install(options);
    }

    private Result upgrade(Map<String, String> request, @Nullable String authorities) throws IOException {
        UpgradeOptions options = new UpgradeOptions(
                text(request, "name"),
                text(request, "version"),
                chart(request),
                text(request, "namespace"),
                null,
                0,
                0,
                1,
                0,
                0,
                0,
                0,
                0,
                text(request, "description"),
                0,
                0,
                0,
                0,
                null,
                0,
                0,
                timeout(request),
                null,
                null,
                values(request),
                null,
                text(request, "kubeconfig"),
                null,
                null,
                authorities,
                0,
                0,
                null,
                0,
                0,
                repositories());
        if (isDryRun(request)) {
            options.dryRun = 1;
            options.dryRunOption = "server";
        }
        return helm.Upgrade(options);
    }

    /** After a dry run that went well: the manifest, which Helm's library does not show there. */
    private Result planned(Map<String, String> request, @Nullable String authorities, Result tried) throws IOException {
        if (!isDryRun(request) || failed(tried)) {
            return tried;
        }
        return helm.Template(new TemplateOptions(
                text(request, "name"),
                text(request, "version"),
                chart(request),
                text(request, "namespace"),
                text(request, "kubeVersion"),
                0,
                0,
                null,
                null,
                values(request),
                null,
                null,
                authorities,
                0,
                0,
                null,
                0,
                repositories()));
    }

    private Result uninstall(Map<String, String> request) {
        return helm.Uninstall(new UninstallOptions(
                text(request, "name"),
                0,
                0,
                1,
                0,
                null,
                text(request, "namespace"),
                null,
                text(request, "kubeconfig"),
                0));
    }

    private String chart(Map<String, String> request) {
        String start = isRegistry(request) ? text(request, "url") : REPOSITORY;
        return start + "/" + text(request, "chart");
    }

    private static boolean isRegistry(Map<String, String> request) {
        return text(request, "url").startsWith("oci://");
    }

    private static boolean isDryRun(Map<String, String> request) {
        return request.containsKey("dryRun");
    }

    private static int timeout(Map<String, String> request) {
        return Integer.parseInt(text(request, "timeout"));
    }

    /** Where Helm looks by itself as well: the variable says so. */
    private String repositories() {
        return folder.resolve("repositories.yaml").toString();
    }

    private @Nullable String authorities(Map<String, String> request) throws IOException {
        String pem = text(request, "authorities");
        return pem.isEmpty() ? null : file("authorities.pem", pem);
    }

    /** The values in files, because Helm reads them from there only. Later ones override earlier ones. */
    private String values(Map<String, String> request) throws IOException {
        StringBuilder files = new StringBuilder();
        for (int i = 0; request.containsKey("values" + i); i++) {
            files.append(i == 0 ? "" : ",").append(file("values" + i + ".yaml", text(request, "values" + i)));
        }
        return files.toString();
    }

    private String file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        return file.toString();
    }

    private static String text(Map<String, String> request, String name) {
        return request.getOrDefault(name, "");
    }

    private static boolean failed(Result result) {
        return result.err != null && !result.err.isEmpty();
    }

    private static Map<String, String> answer(String stage, Result result) {
        return Map.of(
                "stage", stage,
                "output", result.out == null ? "" : result.out,
                "error", result.err == null ? "" : result.err);
    }
}
