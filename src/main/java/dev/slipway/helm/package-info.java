/**
 * Helm charts and manifests on workload clusters: install, compare, remove. Runs inside of phases.
 *
 * <p>Helm itself runs in a process of its own for each call ({@code worker}); what is installed is read from its records.
 */
@NullMarked
package dev.slipway.helm;

import org.jspecify.annotations.NullMarked;
