/** The phase kernel: tokens wait in the engine, work runs outside of it. */
@NullMarked
package dev.slipway.kernel;

import org.jspecify.annotations.NullMarked;
