/** What runs in Helm's own process. Knows nothing but the JDK and the native library. */
@NullMarked
package dev.slipway.helm.worker;

import org.jspecify.annotations.NullMarked;
