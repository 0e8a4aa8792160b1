/** Checks diagrams before they are deployed: whoever deploys a diagram would otherwise run code. */
@NullMarked
package dev.slipway.engine.lint;

import org.jspecify.annotations.NullMarked;
