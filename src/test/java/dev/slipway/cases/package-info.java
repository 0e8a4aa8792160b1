/** Public reports about systems that do this job, played against the whole application. */
@NullMarked
package dev.slipway.cases;

import org.jspecify.annotations.NullMarked;
