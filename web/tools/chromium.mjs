// The Chromium of this machine.
import { access } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the Chromium that CHROMIUM names, or one at a usual place. */
export async function launch() {
  for (const place of [process.env.CHROMIUM, ...places].filter(Boolean)) {
    const found = await access(place).then(() => true, () => false);
    if (found) return chromium.launch({ executablePath: place, args: flags });
  }
  throw new Error(`No Chromium found (looked at ${places.join(', ')}): set CHROMIUM to its path.`);
}
