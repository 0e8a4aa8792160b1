/** What deletions did, kept beyond the life of what they deleted. */
@NullMarked
package dev.slipway.receipt;

import org.jspecify.annotations.NullMarked;
