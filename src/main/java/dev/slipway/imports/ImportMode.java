package dev.slipway.imports;

import java.util.Locale;

/** What an import is to do; the diagram asks for it. */
public enum ImportMode {
    /** Make the cluster known to the platform. */
    IMPORT,
    /** Take back what was written first, then import. */
    RESET,
    /** Nothing: there is no platform, or the cluster is not to be imported. */
    OFF;

    /** The fact that holds it. */
    public static final String FACT = "importMode";

    /** How the diagram spells it. */
    public String value() {
        return name().toLowerCase(Locale.ROOT);
    }
}
