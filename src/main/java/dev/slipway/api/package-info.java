/** REST /api/v1. */
@NullMarked
package dev.slipway.api;

import org.jspecify.annotations.NullMarked;
