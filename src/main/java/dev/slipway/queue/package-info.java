/** Work that is keyed, coalesced and retried, off the threads that ask for it. */
@NullMarked
package dev.slipway.queue;

import org.jspecify.annotations.NullMarked;
