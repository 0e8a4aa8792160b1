/** The sandbox: a management cluster with a simulated Cluster API, for newcomers, demonstrations and tests. */
@NullMarked
package dev.slipway.sandbox;

import org.jspecify.annotations.NullMarked;
