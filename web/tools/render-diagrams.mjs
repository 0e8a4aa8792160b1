// Draws bpmn/*.bpmn into docs/images: <process>.svg, <process>.png, and <process>.sha256 of the diagram that was drawn.
// Needs a Chromium: the one named by CHROMIUM, or a usual place of the system's.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './chromium.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const sources = join(root, 'bpmn');
const images = join(root, 'docs', 'images');
const margin = 16;
const pixelRatio = 2;

/** The picture of one diagram, with a margin and a white ground so that it reads on dark pages too. */
async function draw(page, xml) {
  return page.evaluate(
    async ({ diagram, space }) => {
      const holder = document.createElement('div');
      holder.style.width = '4000px';
      holder.style.height = '3000px';
      document.body.replaceChildren(holder);
      const viewer = new window.BpmnJS({ container: holder });
      const { warnings } = await viewer.importXML(diagram);
      if (warnings.length > 0) throw new Error(warnings.map((w) => w.message).join('; '));
      const { svg } = await viewer.saveSVG();
      viewer.destroy();
      const tree = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
      const [x, y, width, height] = tree.getAttribute('viewBox').split(' ').map(Number);
      const box = [x - space, y - space, width + 2 * space, height + 2 * space].map(Math.round);
      tree.setAttribute('viewBox', box.join(' '));
      tree.setAttribute('width', box[2]);
      tree.setAttribute('height', box[3]);
      const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      const edges = { x: box[0], y: box[1], width: box[2], height: box[3], fill: '#ffffff' };
      Object.entries(edges).forEach(([name, value]) => ground.setAttribute(name, value));
      tree.insertBefore(ground, tree.firstChild);
      return { svg: new XMLSerializer().serializeToString(tree), width: box[2], height: box[3] };
    },
    { diagram: xml, space: margin },
  );
}

/** Names of markers are random in every export: numbered, so that the same diagram gives the same file. */
function withStableIds(svg) {
  const names = new Map();
  return svg.replace(/(marker-[a-z0-9]{10,})|(djs-grid-pattern-\d+)/g, (found) => {
    if (!names.has(found)) names.set(found, `mark-${names.size + 1}`);
    return names.get(found);
  });
}

const library = createRequire(import.meta.url).resolve('bpmn-js/dist/bpmn-navigated-viewer.production.min.js');
const browser = await launch();
try {
  await mkdir(images, { recursive: true });
  const page = await browser.newPage({ deviceScaleFactor: pixelRatio });
  await page.setContent('<!doctype html><html><body style="margin:0"></body></html>');
  await page.addScriptTag({ path: library });
  for (const file of (await readdir(sources)).filter((name) => name.endsWith('.bpmn')).sort()) {
    const bytes = await readFile(join(sources, file));
    const picture = await draw(page, bytes.toString('utf8'));
    const target = join(images, basename(file, '.bpmn'));
    const svg = withStableIds(picture.svg);
    await writeFile(`${target}.svg`, `${svg}\n`);
    await page.setViewportSize({ width: picture.width, height: picture.height });
    await page.evaluate((text) => { document.body.innerHTML = text; }, svg);
    await page.screenshot({ path: `${target}.png` });
    await writeFile(`${target}.sha256`, `${createHash('sha256').update(bytes).digest('hex')}\n`);
    console.log(`${file}: ${picture.width} x ${picture.height}`);
  }
} finally {
  await browser.close();
}
