/** Reading and writing Kubernetes objects: live reads, apply, patches, error classes, watches that only wake. */
@NullMarked
package dev.slipway.kubernetes;

import org.jspecify.annotations.NullMarked;
