package dev.slipway.cluster;

import dev.slipway.kubernetes.KubeObject;
import java.util.List;

/** One object as a person writes it: YAML, of which JSON is a part. */
public final class ManifestText {

    private ManifestText() {}

    /** It is no object; the message says why. */
    public static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(String message) {
            super(message);
        }
    }

    /** Reads exactly one object. */
    public static KubeObject one(String text) throws Unreadable {
        List<KubeObject> objects;
        try {
            objects = Manifests.read(text);
        } catch (Manifests.Unreadable e) {
            throw new Unreadable(String.valueOf(e.getMessage()));
        }
        if (objects.size() != 1) {
            throw new Unreadable("There must be one object, there are " + objects.size());
        }
        return objects.get(0);
    }
}
