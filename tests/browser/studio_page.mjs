// What the tests of the studio share: a small server for its files with the policy it asks for, and
// pages that report every error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';

const { CHROMIUM, STUDIO_SOURCE, WORK } = process.env;
const { chromium } = await import(pathToFileURL(join(STUDIO_SOURCE, 'node_modules/playwright-core/index.mjs')));
const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', json: 'application/json', wasm: 'application/wasm', txt: 'text/plain' };

export function serve(folder) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    try {
      const file = readFileSync(join(folder, path === '/' ? 'index.html' : path));
      response.writeHead(200, { 'content-type': `${types[path.split('.').pop()] ?? 'text/html'}; charset=utf-8`, 'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" });
      response.end(file);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  return new Promise((ready) => server.listen(0, '127.0.0.1', () => ready({ server, address: `http://127.0.0.1:${server.address().port}/` })));
}

export const launch = (more = []) =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', ...more] });

export async function open(browser, url, { width = 1440, height = 900, dark = false, touch = false, storage, script } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', hasTouch: touch, storageState: storage, reducedMotion: 'reduce' });
  const page = await context.newPage();
  // Nobody is there to use the picker of the browser: without it files come through a field.
  await page.addInitScript(script ?? (() => (window.showOpenFilePicker = window.showSaveFilePicker = undefined)));
  page.problems = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.problems.push(message.text()));
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('dialog', (dialog) => (page.problems.push('dialog: ' + dialog.message()), dialog.dismiss()));
  await page.goto(url);
  await page.waitForSelector('body[data-ready]', { timeout: 20_000 });
  return page;
}
export async function close(page) {
  const { problems } = page;
  await page.context().close();
  assert.deepEqual(problems, []);
}

// ---- what people do with it
export const shot = (page, name) => page.screenshot({ path: join(WORK, name + '.png') });
export const textOf = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('pawl-studio-document')).text);
export const state = (page) => page.textContent('#state');
export const stateIs = async (page, words) => {
  try {
    await page.waitForFunction((w) => new RegExp(w).test(document.getElementById('state').textContent), words.source, { timeout: 15_000 });
  } catch {
    await shot(page, 'failed');
    assert.fail(`the state is not ${words}: ${await state(page)}`);
  }
};
export const example = async (page, name) => {
  await page.goto(new URL('#' + name, page.url()).href);
  await page.waitForSelector('#canvas svg.picture');
  await stateIs(page, /./);
};
// Waits until the page shows what the engine says of the text as it is.
export const settled = async (page, words) => {
  try {
    await page.waitForFunction((w) => JSON.parse(localStorage.getItem('pawl-studio-document')).text.includes(w), words, { timeout: 10_000 });
  } catch {
    await shot(page, 'failed');
    assert.fail(`${words} does not come into the text; the page says: ${await page.textContent('#toast')}`);
  }
  await page.waitForTimeout(150);
};
// Places on the stage as shares of its size.
export async function pointer(page) {
  const box = await page.locator('#canvas').boundingBox();
  const at = ([x, y]) => [box.x + box.width * x, box.y + box.height * y];
  return {
    at,
    click: async (p) => {
      await page.mouse.move(...at(p));
      await page.mouse.click(...at(p));
    },
    drag: async (from, to) => {
      await page.mouse.move(...at(from));
      await page.mouse.down();
      await page.mouse.move(...at(to), { steps: 12 });
    },
  };
}
export const tool = (page, name) => page.click(`#tools [aria-label="${name}"]`);
export const empty = async (page) => {
  await page.click('#new-model');
  await page.waitForSelector('#canvas svg.picture');
  return pointer(page);
};

// Places of the empty stage in mm, as the tutorial has them.
export async function drawing(page) {
  const hand = await empty(page),
    box = await page.locator('#canvas').boundingBox();
  const mm = ([x, y]) => [0.5 + x / 400, 0.5 - (y / 400) * (box.width / box.height)];
  return {
    mm,
    hand,
    use: async (name, places, words) => {
      await tool(page, name);
      for (const p of places) await hand.click(mm(p));
      await settled(page, words);
    },
  };
}

// Another document, as the page would find it after it was closed.
export const openText = async (page, text) => {
  await page.evaluate((t) => localStorage.setItem('pawl-studio-document', JSON.stringify({ name: 'x', text: t })), text);
  await page.goto(new URL('#desk', page.url()).href);
  await page.reload();
  await page.waitForSelector('#state:not(:empty)', { state: 'attached' });
};
// Where a body is, m and degrees.
export const pose = (page, name) =>
  page.evaluate((n) => {
    const svg = document.querySelector('#canvas svg.picture'),
      scale = Number(svg.dataset.scale);
    const [x, y, angle] = /translate\((\S+) (\S+)\) rotate\((\S+)\)/.exec(svg.querySelector(`.body[data-body="${n}"]`).getAttribute('transform')).slice(1).map(Number);
    return { x: x / scale, y: y / scale, angle };
  }, name);
// A place of the ground (m) on the screen.
export const onScreen = (page, x, y) =>
  page.evaluate(([px, py]) => {
    const svg = document.querySelector('#canvas svg.picture'),
      scale = Number(svg.dataset.scale),
      m = svg.querySelector('.mechanism').getScreenCTM();
    return [m.a * px * scale + m.c * py * scale + m.e, m.b * px * scale + m.d * py * scale + m.f];
  }, [x, y]);
