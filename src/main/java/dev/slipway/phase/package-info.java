/** What a phase's author works with: one step, one outcome. */
@NullMarked
package dev.slipway.phase;

import org.jspecify.annotations.NullMarked;
