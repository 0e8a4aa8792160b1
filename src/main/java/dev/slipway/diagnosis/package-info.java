/** Looks at everything around a cluster, live, and tells a person what is wrong. */
@NullMarked
package dev.slipway.diagnosis;

import org.jspecify.annotations.NullMarked;
