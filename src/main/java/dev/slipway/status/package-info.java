/** The resource's status: a best-effort projection of what the engine knows. */
@NullMarked
package dev.slipway.status;

import org.jspecify.annotations.NullMarked;
