/** What starts a flow. */
@NullMarked
package dev.slipway.trigger;

import org.jspecify.annotations.NullMarked;
