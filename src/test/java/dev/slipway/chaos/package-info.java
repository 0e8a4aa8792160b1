/** The chaos run: many clusters under faults on the wire and kills, and a strict look at what is left afterwards. */
@NullMarked
package dev.slipway.chaos;

import org.jspecify.annotations.NullMarked;
