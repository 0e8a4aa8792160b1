/** What the phases of a deletion have in common: the subject, its mode, what remains, the receipt. Runs inside of phases. */
@NullMarked
package dev.slipway.deletion;

import org.jspecify.annotations.NullMarked;
