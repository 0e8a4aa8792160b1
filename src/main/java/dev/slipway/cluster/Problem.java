package dev.slipway.cluster;

/**
 * One thing that is wrong with what a person declared.
 *
 * @param code an UpperCamel reason, for example {@code ClassUnknown}
 * @param field the field's path, for example {@code spec.topology.class}
 * @param message what is wrong, with the value
 * @param remedy what to do
 */
public record Problem(String code, String field, String message, String remedy) {

    /** {@code field: message}. */
    public String sentence() {
        return field + ": " + message;
    }
}
