/** Who did what: starts, decisions, creations, credentials, sign-ins, refusals. */
@NullMarked
package dev.slipway.audit;

import org.jspecify.annotations.NullMarked;
