// What the tests of the studio share: a small server for its files with the policy it asks for, and
// pages that report every error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';

const { CHROMIUM, STUDIO_SOURCE } = process.env;
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

export const launch = () =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });

export async function open(browser, url, { width = 1440, height = 900, dark = false, touch = false, storage } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', hasTouch: touch, storageState: storage, reducedMotion: 'reduce' });
  const page = await context.newPage();
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
