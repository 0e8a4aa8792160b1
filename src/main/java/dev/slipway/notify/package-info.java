/** Tells a webhook that phases need an operator, and when they no longer do. */
@NullMarked
package dev.slipway.notify;

import org.jspecify.annotations.NullMarked;
