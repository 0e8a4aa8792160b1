// Takes a picture of each page in both themes, with 1, 50 and 10,000 clusters, into ../target/look, and measures the fleet.
// Fails if the browser reports an error, a violation of the content security policy for example, or axe one of accessibility;
// what axe found stands in axe.json. Run `npm run build` before. `npm run look -- docs` renews the pictures of the documentation instead.
import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { launch } from './chromium.mjs';
import { serve } from './sample-server.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(web, '..', 'target', 'look');
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const sizes = [1, 50, 10_000];
const themes = ['light', 'dark'];
const errors = [];
const report = {};
const wide = { width: 1440, height: 900 };

/** What people download before they see anything: no more than this, in bytes of gzip. */
const most = 60_000;

async function open(browser, url, { theme, locale = 'en', viewport = wide }) {
  const context = await browser.newContext({ colorScheme: theme, locale, viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('console', (message) => {
    // Nobody signed in, a name that does not match, a stream that ends with its session: meant so.
    if (message.type() === 'error' && !/401|422|429|ERR_INCOMPLETE_CHUNKED/.test(message.text())) errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(url);
  return page;
}

/** What stands in the way of people who see, hear or move differently; texts within bpmn-js's drawing are its own. */
async function check(page, name) {
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate(() => window.axe.run({ exclude: ['.djs-container'] }));
  const found = violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.target.join(' ')).join('; ')}`);
  report[name] = { passed: passes.length, violations: found };
  found.forEach((violation) => errors.push(`${name}: ${violation}`));
}

async function shot(page, name, fullPage = false) {
  await check(page, name);
  await page.screenshot({ path: join(target, `${name}.png`), fullPage });
  console.log(`${name}.png`);
}

/** Goes to an address and waits until something is there. */
async function go(page, url, hash, selector) {
  await page.goto(`${url}${hash}`);
  await page.waitForSelector(selector);
}

async function clusterPage(browser, url, theme) {
  const page = await open(browser, `${url}#/clusters/default/cluster-00000`, { theme });
  await page.waitForSelector('.badge:visible');
  await page.waitForSelector('.steps');
  await shot(page, `cluster-${theme}`, true);
  await page.getByLabel('Colour by').selectOption('fleet');
  await page.getByText('History:').click();
  await page.getByRole('button', { name: 'Diagnose now' }).click();
  await page.waitForSelector('.finding');
  await shot(page, `cluster-against-fleet-${theme}`, true);
  await page.getByLabel('Colour by').selectOption('state');
  await page.getByRole('slider').fill('3');
  await shot(page, `cluster-past-${theme}`);
  await page.getByRole('slider').fill('100');
  await page.getByRole('button', { name: 'Move the token…' }).click();
  await shot(page, `cluster-move-${theme}`, true);
  await page.getByRole('button', { name: /^Start from here/ }).nth(1).click();
  await shot(page, `move-${theme}`);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Decide…/ }).click();
  await page.getByLabel(/^Skip/).check();
  await shot(page, `decide-${theme}`);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Delete…/ }).click();
  await page.waitForSelector('.preview tbody');
  await shot(page, `delete-${theme}`);
  await page.context().close();
}

async function lists(browser, url, theme) {
  const page = await open(browser, `${url}#/stuck`, { theme });
  await page.waitForSelector('.card');
  await shot(page, `stuck-${theme}`, true);
  await page.getByRole('button', { name: /^Retry all/ }).first().click();
  await shot(page, `retry-all-${theme}`);
  await page.keyboard.press('Escape');
  await go(page, url, '#/work-items', 'tbody tr');
  await shot(page, `work-items-${theme}`);
  await go(page, url, '#/work-items/default/cluster-00000-monitoring', '.badge:visible');
  await shot(page, `work-item-${theme}`, true);
  await go(page, url, '#/statistics', '.chart');
  await shot(page, `statistics-${theme}`, true);
  await page.getByRole('button', { name: 'As a table' }).click();
  await shot(page, `statistics-table-${theme}`);
  await go(page, url, '#/receipts', 'tbody tr');
  await shot(page, `receipts-${theme}`);
  await go(page, url, '#/receipts/flow-deleted', 'tbody tr');
  await shot(page, `receipt-${theme}`, true);
  await go(page, url, '#/audit', 'tbody tr');
  await shot(page, `audit-${theme}`);
  await go(page, url, '#/elsewhere', '.empty');
  await shot(page, `missing-${theme}`);
  await page.context().close();
}

async function createPage(browser, url, theme) {
  const page = await open(browser, `${url}#/create`, { theme });
  await page.waitForSelector('.create');
  await page.getByLabel('Name (needed)').fill('Prod_East');
  await page.getByLabel('Kubernetes version').fill('1.36');
  await page.getByLabel('ClusterClass', { exact: false }).last().selectOption('default/sandbox');
  await page.getByLabel('Control plane machines').fill('2');
  await page.getByRole('button', { name: 'Add workers' }).click();
  await page.waitForSelector('.field-errors');
  await shot(page, `create-wrong-${theme}`, true);
  await page.getByLabel('Name (needed)').fill('prod-east');
  await page.getByLabel('Kubernetes version').fill('v1.36.3');
  await page.getByLabel('Control plane machines').fill('3');
  await page.getByLabel('flavour').selectOption('m1.large');
  await page.getByText('The server would create this').waitFor();
  await shot(page, `create-${theme}`, true);
  await page.context().close();
}

/** Nobody is signed in; a wrong password; a session that ends; somebody who may only look. */
async function signInPages(browser, theme) {
  const server = await serve(50, 0, null);
  const page = await open(browser, `${server.url}#/clusters/default/cluster-00000`, { theme });
  await page.waitForSelector('.sign-in');
  await shot(page, `sign-in-${theme}`);
  const signIn = async (name, password) => {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await signIn('often', 'wrong');
  await page.getByText(/Next try in/).waitFor();
  await shot(page, `sign-in-often-${theme}`);
  await page.reload();
  await signIn('viewer', 'sample');
  await page.waitForSelector('.standing');
  await page.getByRole('button', { name: /^Account/ }).click();
  await shot(page, `viewer-${theme}`);
  server.expire();
  await page.waitForSelector('dialog');
  await shot(page, `sign-in-again-${theme}`);
  await page.context().close();
  server.close();
}

/** How long it takes until the rows can be used, to find one, and to draw a page of them. */
async function measure(browser, url, size) {
  const page = await open(browser, url, { theme: 'light' });
  await page.waitForSelector('tr[data-row] a');
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
  const jumped = Date.now();
  await page.evaluate(() => {
    const list = document.querySelector('.list');
    list.scrollTop = list.scrollHeight;
  });
  await page.waitForFunction((last) => document.querySelector(`tr[data-row="${last}"] a`) !== null, size - 1);
  const end = Date.now() - jumped;
  const typed = Date.now();
  await page.locator('input[type=search]').fill('cluster-00007');
  await page.waitForFunction(() => document.querySelectorAll('tr[data-row]').length === 1);
  const found = Date.now() - typed;
  console.log(`${size} clusters: rows after ${interactive} ms; ${result.rows} rows drawn; frames while scrolling: `
    + `median ${result.median.toFixed(1)} ms, worst ${result.worst.toFixed(1)} ms; the last row after ${end} ms; found by typing after ${found} ms`);
  await page.context().close();
}

/** What index.html loads at once, and all parts. */
async function weigh() {
  const assets = join(web, 'dist', 'assets');
  const index = await readFile(join(web, 'dist', 'index.html'), 'utf8');
  let first = 0;
  for (const name of (await readdir(assets)).sort()) {
    const size = gzipSync(await readFile(join(assets, name))).length;
    if (index.includes(name) && name.endsWith('.js')) first += size;
    console.log(`${name}: ${(size / 1_000).toFixed(1)} kB gzip${index.includes(name) ? ', at once' : ''}`);
  }
  if (first > most) errors.push(`The first script has ${first} bytes of gzip; no more than ${most} are wanted.`);
}

async function fewAndMany(browser, size, url) {
  for (const theme of themes) {
    const page = await open(browser, url, { theme });
    await page.waitForSelector('tr[data-row] a');
    await shot(page, `fleet-${size}-${theme}`);
    await page.context().close();
    if (size !== 50) continue;
    await clusterPage(browser, url, theme);
    await lists(browser, url, theme);
    await createPage(browser, url, theme);
    await signInPages(browser, theme);
  }
}

async function elsewhere(browser, url) {
  const chinese = await open(browser, `${url}#/clusters/default/cluster-00036`, { theme: 'light', locale: 'zh-CN' });
  await chinese.waitForSelector('.badge:visible');
  await shot(chinese, 'cluster-importing-chinese', true);
  await go(chinese, url, '#/statistics', '.chart');
  await shot(chinese, 'statistics-chinese', true);
  await chinese.context().close();
  const phone = await open(browser, url, { theme: 'dark', viewport: { width: 390, height: 844 } });
  await phone.waitForSelector('tr[data-row]');
  await shot(phone, 'fleet-phone');
  await go(phone, url, '#/clusters/default/cluster-00000', '.badge:visible');
  await shot(phone, 'cluster-phone', true);
  await go(phone, url, '#/create', '.create');
  await shot(phone, 'create-phone', true);
  await phone.context().close();
}

/** The pictures of the documentation: smaller ones, of what a reader wants to see first. */
async function documentation(browser, url) {
  const images = join(web, '..', 'docs', 'images');
  const take = async (hash, selector, name, theme, prepare = async () => undefined) => {
    const page = await open(browser, `${url}${hash}`, { theme, viewport: { width: 1200, height: 760 } });
    await page.waitForSelector(selector);
    await prepare(page);
    await page.screenshot({ path: join(target, `${name}.png`) });
    await copyFile(join(target, `${name}.png`), join(images, `${name}.png`));
    await page.context().close();
  };
  await take('#/', 'tr[data-row] a', 'console-fleet', 'light');
  await take('#/clusters/default/cluster-00000', '.steps', 'console-cluster', 'light', async (page) => {
    await page.locator('.diagram').scrollIntoViewIfNeeded();
    await page.locator('.standing').first().evaluate((element) => element.scrollIntoView());
  });
  await take('#/statistics', '.chart', 'console-statistics', 'dark', (page) => page.locator('#retries').evaluate((element) => element.scrollIntoView()));
}

await mkdir(target, { recursive: true });
const browser = await launch();
const docs = process.argv.includes('docs');
for (const size of docs ? [50] : sizes) {
  const { url, close } = await serve(size);
  if (docs) {
    await documentation(browser, url);
  } else {
    await fewAndMany(browser, size, url);
    if (size === 50) await elsewhere(browser, url);
    if (size > 50) await measure(browser, url, size);
  }
  close();
}
await browser.close();
await weigh();
await writeFile(join(target, 'axe.json'), JSON.stringify(report, null, 2));
if (errors.length > 0) throw new Error(`The browser reports:\n${[...new Set(errors)].join('\n')}`);
