/** Faults on the wire between Slipway and an API server: a reverse proxy that misbehaves as it is told. */
@NullMarked
package dev.slipway.faults;

import org.jspecify.annotations.NullMarked;
