/** Sign-in for /api, /engine-rest and the webapps. */
@NullMarked
package dev.slipway.security;

import org.jspecify.annotations.NullMarked;
