package dev.slipway.helm;

import com.marcnuri.helm.jni.HelmLib;
import com.marcnuri.helm.jni.PushOptions;
import com.marcnuri.helm.jni.RegistryOptions;
import com.marcnuri.helm.jni.RepoServerOptions;
import com.marcnuri.helm.jni.Result;
import com.sun.jna.Native;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The main class of a process with a real OCI registry, which Helm's library holds for tests; it cannot be stopped. */
public final class OciRegistryProcess {

    private OciRegistryProcess() {}

    /** The arguments are the library, the working folder, user, password, and a chart to push. Ends with its input. */
    public static void main(String[] args) throws Exception {
        HelmLib helm = Native.load(args[0], HelmLib.class);
        Path folder = Path.of(args[1]);
        Result started = helm.RepoOciServerStart(new RepoServerOptions(null, args[2], args[3]));
        String host = started.out;
        Result login = helm.RegistryLogin(new RegistryOptions(host, args[2], args[3], null, null, null, 0, 1, 0));
        Result push = helm.Push(new PushOptions(args[4], "oci://" + host + "/charts", null, null, null, 0, 1, 0));
        String said = host + "\n" + started.err + "\n" + login.err + "\n" + push.err + "\n" + push.out + "\n";
        Files.writeString(folder.resolve("said.new"), said);
        Files.move(folder.resolve("said.new"), folder.resolve("said"));
        System.in.transferTo(OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(0);
    }
}
