/** Sign-in against the engine's identity service: the only place where users are kept. */
@NullMarked
package dev.slipway.engine.identity;

import org.jspecify.annotations.NullMarked;
