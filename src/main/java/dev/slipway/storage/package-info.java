/** What Slipway's own tables have in common: pages of rows, and rows that are kept for a time only. */
@NullMarked
package dev.slipway.storage;

import org.jspecify.annotations.NullMarked;
