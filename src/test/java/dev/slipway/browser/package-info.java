/**
 * The console in a real Chromium, before the whole application: what people do, click by click.
 *
 * <p>Needs Chromium, node and the built console; skipped, with a message, where one of them is missing.
 */
package dev.slipway.browser;
