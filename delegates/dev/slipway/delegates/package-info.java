/** One class per phase: look, decide, act, report. */
@NullMarked
package dev.slipway.delegates;

import org.jspecify.annotations.NullMarked;
