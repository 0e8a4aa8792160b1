// Takes a picture of each page in both themes, with 1, 50 and 10,000 clusters, into ../target/look, and measures the fleet.
// Fails if the browser reports an error, a violation of the content security policy for example, or axe one of accessibility. Run `npm run build` before.
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './chromium.mjs';
import { serve } from './sample-server.mjs';

const target = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'target', 'look');
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const sizes = [1, 50, 10_000];
const errors = [];
const wide = { width: 1440, height: 900 };

async function open(browser, url, { theme, locale = 'en', viewport = wide }) {
  const context = await browser.newContext({ colorScheme: theme, locale, viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(url);
  return page;
}

/** What stands in the way of people who see, hear or move differently; texts within bpmn-js's drawing are its own. */
async function check(page, name) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run({ exclude: ['.djs-container'] });
    return violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.target.join(' ')).join('; ')}`);
  });
  found.forEach((violation) => errors.push(`${name}: ${violation}`));
}

async function shot(page, name, fullPage = false) {
  await check(page, name);
  await page.screenshot({ path: join(target, `${name}.png`), fullPage });
  console.log(`${name}.png`);
}

async function clusterPage(browser, url, theme) {
  const page = await open(browser, `${url}#/clusters/default/cluster-00000`, { theme });
  await page.waitForSelector('.badge:visible');
  await shot(page, `cluster-${theme}`, true);
  await page.getByLabel('Colour by').selectOption('time');
  await page.getByRole('button', { name: 'Diagnose now' }).click();
  await page.waitForSelector('.finding');
  await shot(page, `cluster-durations-${theme}`, true);
  await page.getByRole('button', { name: /^Decide…/ }).click();
  await page.getByLabel(/^Skip/).check();
  await shot(page, `decide-${theme}`);
  await page.context().close();
}

async function stuckPage(browser, url, theme) {
  const page = await open(browser, `${url}#/stuck`, { theme });
  await page.waitForSelector('.card');
  await shot(page, `stuck-${theme}`, true);
  await page.getByRole('button', { name: /^Retry all/ }).first().click();
  await shot(page, `retry-all-${theme}`);
  await page.context().close();
}

async function deletionPages(browser, url, theme) {
  const page = await open(browser, `${url}#/clusters/default/cluster-00000`, { theme });
  await page.getByRole('button', { name: /^Delete…/ }).click();
  await page.waitForSelector('.preview tbody');
  await shot(page, `delete-${theme}`);
  await page.keyboard.press('Escape');
  await page.goto(`${url}#/receipts`);
  await page.waitForSelector('tbody tr');
  await shot(page, `receipts-${theme}`);
  await page.goto(`${url}#/receipts/flow-deleted`);
  await page.waitForSelector('tbody tr');
  await shot(page, `receipt-${theme}`, true);
  await page.context().close();
}

/** How long it takes until the rows can be used, to find one, and to draw a page of them. */
async function measure(browser, url, size) {
  const page = await open(browser, url, { theme: 'light' });
  await page.waitForSelector('tr[data-row]');
  const interactive = await page.evaluate(() => Math.round(performance.now()));
  const result = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())));
    const list = document.querySelector('.list');
    const frames = [];
    let before = await frame();
    for (let step = 0; step < 120; step += 1) {
      list.scrollTop += 400;
      const now = await frame();
      frames.push(now - before);
      before = now;
    }
    frames.sort((a, b) => a - b);
    return { rows: document.querySelectorAll('tr[data-row]').length, median: frames[60], worst: frames[119] };
  });
  const typed = Date.now();
  await page.locator('input[type=search]').fill('cluster-00007');
  await page.waitForFunction(() => document.querySelectorAll('tr[data-row]').length === 1);
  const found = Date.now() - typed;
  console.log(`${size} clusters: rows after ${interactive} ms; ${result.rows} rows drawn; frames while scrolling: `
    + `median ${result.median.toFixed(1)} ms, worst ${result.worst.toFixed(1)} ms; found by typing after ${found} ms`);
  await page.context().close();
}

await mkdir(target, { recursive: true });
const browser = await launch();
for (const size of sizes) {
  const { url, close } = await serve(size);
  for (const theme of ['light', 'dark']) {
    const page = await open(browser, url, { theme });
    await page.waitForSelector('tr[data-row]');
    await shot(page, `fleet-${size}-${theme}`);
    await page.context().close();
    if (size === 50) {
      await clusterPage(browser, url, theme);
      await stuckPage(browser, url, theme);
      await deletionPages(browser, url, theme);
    }
  }
  if (size === 50) {
    const chinese = await open(browser, `${url}#/clusters/default/cluster-00036`, { theme: 'light', locale: 'zh-CN' });
    await chinese.waitForSelector('.badge:visible');
    await shot(chinese, 'cluster-importing-chinese', true);
    await chinese.context().close();
    const phone = await open(browser, url, { theme: 'dark', viewport: { width: 390, height: 844 } });
    await phone.waitForSelector('tr[data-row]');
    await shot(phone, 'fleet-phone');
    await phone.goto(`${url}#/clusters/default/cluster-00000`);
    await phone.waitForSelector('.badge:visible');
    await shot(phone, 'cluster-phone', true);
    await phone.context().close();
  } else if (size > 50) {
    await measure(browser, url, size);
  }
  close();
}
await browser.close();
if (errors.length > 0) throw new Error(`The browser reports:\n${[...new Set(errors)].join('\n')}`);
