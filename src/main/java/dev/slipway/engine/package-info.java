/** The embedded Camunda engine: settings, deployment, lint, sign-in. */
@NullMarked
package dev.slipway.engine;

import org.jspecify.annotations.NullMarked;
