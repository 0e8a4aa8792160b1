/** Slipway's account in a workload cluster: its namespace, its rights, its token. Runs inside of phases. */
@NullMarked
package dev.slipway.sentry;

import org.jspecify.annotations.NullMarked;
