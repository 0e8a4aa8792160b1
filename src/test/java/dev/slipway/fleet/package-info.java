/** How fast a fleet is imported: a program, not a test. */
package dev.slipway.fleet;
