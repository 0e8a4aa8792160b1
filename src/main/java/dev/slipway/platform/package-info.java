/** The platform's records of clusters and credentials ({@code platform.tkestack.io}), and the rules of import. */
@NullMarked
package dev.slipway.platform;

import org.jspecify.annotations.NullMarked;
