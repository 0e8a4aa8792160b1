package dev.slipway.helm;

/**
 * An object of a release.
 *
 * @param id which one
 * @param kept whether its chart says that Helm leaves it there when the release is uninstalled
 */
public record ReleaseObject(ObjectId id, boolean kept) {}
