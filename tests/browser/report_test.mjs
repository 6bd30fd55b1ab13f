// Opens reports in a real browser, offline and from disk, and uses them as a reader would. Numbers on
// the page are compared with the tables of the result. Leaves screenshots for people to look at.
// Usage: PAWL=program CHROMIUM=program WORK=folder PLAYER=web/player MODELS=models node report_test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { PAWL, CHROMIUM, WORK, PLAYER, MODELS } = process.env;
const { chromium } = await import(pathToFileURL(join(PLAYER, 'node_modules/playwright-core/index.mjs')));
const screenshots = join(WORK, 'screenshots');

let browser;
before(async () => {
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(screenshots, { recursive: true });
  // Chromium refuses to run as root with its sandbox.
  browser = await chromium.launch({ executablePath: CHROMIUM, args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
});
after(async () => {
  await browser?.close();
  for (const name of ['long', 'two_thousand']) rmSync(join(WORK, name), { recursive: true, force: true });
});

// ---- results and their tables
const results = new Map();
function made(name, model = name, more = []) {
  if (!results.has(name)) results.set(name, make(name, model, more));
  return results.get(name);
}
function make(name, model, more) {
  const folder = join(WORK, name);
  execFileSync(PAWL, ['run', join(MODELS, model + '.toml'), '--quiet', '--out', folder, ...more]);
  execFileSync(PAWL, ['report', folder, '--quiet']);
  return { file: folder + '.html', ...tables(folder) };
}
function tables(folder) {
  const lines = readFileSync(join(folder, 'trajectory.csv'), 'utf8').trimEnd().split('\n');
  const names = lines[0].split(',').map((head) => head.replace(/ \[.*/, ''));
  const rows = lines.slice(1).map((line) => line.split(',').map(Number));
  const events = readFileSync(join(folder, 'events.csv'), 'utf8').trimEnd().split('\n').slice(1).map((line) => Number(line.split(',')[0]));
  const column = (name) => {
    assert.ok(names.includes(name), name);
    return names.indexOf(name);
  };
  // The last row that is not later, and how far the time is on the way to the next.
  const place = (t) => {
    let row = 0;
    while (row + 1 < rows.length && rows[row + 1][0] <= t) ++row;
    const step = row + 1 < rows.length ? rows[row + 1][0] - rows[row][0] : 0;
    return { row, share: step > 0 ? (t - rows[row][0]) / step : 0 };
  };
  const value = (name, t) => {
    const { row, share } = place(t), c = column(name);
    return share === 0 ? rows[row][c] : rows[row][c] + share * (rows[row + 1][c] - rows[row][c]);
  };
  const bodies = names.filter((n) => n.endsWith('.omega')).map((n) => n.slice(0, -6));
  const contacts = names.filter((n) => n.endsWith('.closed')).map((n) => n.slice(0, -7));
  return { names, events, rows, value, bodies, contacts, end: rows.at(-1)[0] };
}

// ---- pages
const problems = [];
async function opened(result, { width = 1280, height = 860, dark = false, script } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', offline: true });
  const page = await context.newPage();
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => request.url().startsWith('file:') || problems.push('asks for ' + request.url()));
  if (script) await page.addInitScript(script);
  await page.goto(pathToFileURL(result.file).href);
  await page.locator('#transport').waitFor({ state: 'visible' });
  return page;
}
async function closed(page) {
  await page.context().close();
  assert.deepEqual(problems.splice(0), []);
}
const shot = (page, name, fullPage = false) => page.screenshot({ path: join(screenshots, name + '.png'), fullPage });

const timeOf = async (page) => Number(/t = (.*) s/.exec(await page.textContent('#clock'))[1]);
const scrub = (page, t) =>
  page.locator('#scrub').evaluate((input, value) => {
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    return Number(input.value);
  }, String(t));
// The page gives lengths to 0.001 and angles to 0.0001; poses are floats, good to 1e-7 of the angle.
const drawingUnit = 2e-3, degree = 2e-4;
async function expectPlaces(page, result, t) {
  const places = await page.evaluate(() => ({
    scale: Number(document.querySelector('#stage svg').dataset.scale),
    bodies: [...document.querySelectorAll('#stage .body')].slice(1).map((g) => ({
      name: g.dataset.body,
      at: /translate\((\S+) (\S+)\) rotate\((\S+)\)/.exec(g.getAttribute('transform')).slice(1).map(Number),
    })),
  }));
  assert.deepEqual(places.bodies.map((b) => b.name), result.bodies);
  for (const { name, at } of places.bodies) {
    const expected = ['x', 'y', 'angle'].map((tail) => result.value(`${name}.${tail}`, t));
    assert.ok(Math.abs(at[0] - places.scale * expected[0]) < drawingUnit, `${name}.x at ${t}: ${at[0]}`);
    assert.ok(Math.abs(at[1] - places.scale * expected[1]) < drawingUnit, `${name}.y at ${t}: ${at[1]}`);
    const degrees = (expected[2] * 180) / Math.PI;
    assert.ok(Math.abs(at[2] - degrees) < degree + 2e-7 * Math.abs(degrees), `${name}.angle at ${t}: ${at[2]}, not ${degrees}`);
  }
}
// Numbers on the page have five digits: half a unit of the last of 10000; in a long result they
// are good to 1.6e-5.
const fiveDigits = 6.7e-5;
async function expectForces(page, result, t) {
  const shown = await page.$$eval('.force:not([display=none])', (groups) => groups.map((g) => [g.dataset.contact, Number(g.dataset.normal)]));
  const expected = result.contacts.filter((c) => result.value(c + '.closed', t) > 0);
  assert.deepEqual(shown.map(([name]) => name), expected);
  for (const [name, force] of shown) {
    const normal = result.value(name + '.normal', t);
    assert.ok(Math.abs(force - normal) <= fiveDigits * Math.abs(normal) + 1e-12, `${name}: ${force}, not ${normal}`);
  }
}
async function expectReadouts(page, result, plot, tail, t, tolerance = fiveDigits) {
  const figure = page.locator('.plot', { has: page.locator(`h3:text-is("${plot}")`) });
  const entries = await figure.locator('.legend li').evaluateAll((items) => items.map((li) => [li.querySelector('span').textContent, li.querySelector('output').textContent]));
  assert.ok(entries.length > 0);
  const factor = Number(await figure.locator('svg[role=img]').getAttribute('data-factor')); // of the unit on the axis
  for (const [name, text] of entries) {
    const expected = factor * result.value(name.endsWith(tail) ? name : name + tail, t);
    if (!Number.isFinite(expected)) assert.equal(text, '–');
    else assert.ok(Math.abs(Number(text) - expected) <= tolerance * Math.abs(expected) + 1e-9, `${name}: ${text}, not ${expected}`);
  }
}

for (const model of ['trigger', 'cam_arcs', 'slider_fourbar'])
  test(`${model}: a click on an event shows the mechanism, forces and plots at that moment`, async () => {
    const result = made(model);
    const page = await opened(result);
    await expectPlaces(page, result, 0);
    const rows = page.locator('#event-list tbody tr');
    // A long list is shown in portions of 100.
    const shown = Math.min(result.events.length, 100);
    assert.equal(await rows.count(), shown);
    for (const i of new Set([0, shown >> 1, shown - 1])) {
      const t = result.events[i];
      await rows.nth(i).locator('button').first().click();
      assert.equal(await timeOf(page), Number(t.toPrecision(6)));
      await expectPlaces(page, result, t);
      await expectForces(page, result, t);
      await expectReadouts(page, result, 'Contact forces', '.normal', t);
      assert.notEqual(await page.textContent('#now'), '');
    }
    await shot(page, model);
    await shot(page, model + '_whole', true);
    await closed(page);
  });

test('the picture of the documents', async () => {
  const result = made('trigger');
  const page = await opened(result, { width: 1180, height: 700 });
  await scrub(page, 0.0745); // all five pairs are about to move
  await shot(page, 'report');
  await closed(page);
});

test('scrubbing, stepping and keys move the mechanism', async () => {
  const result = made('cam_arcs');
  const page = await opened(result);
  const t = await scrub(page, 0.3712 * result.end);
  await expectPlaces(page, result, t);
  await page.getByRole('button', { name: 'One sample forward' }).click();
  const next = result.rows.find((row) => row[0] > t)[0];
  await expectPlaces(page, result, next);
  await page.keyboard.press('ArrowLeft');
  assert.ok((await timeOf(page)) < next);
  await page.keyboard.press('Home');
  await expectPlaces(page, result, 0);
  const later = [...new Set(result.events)].filter((time) => time > 0);
  for (const time of later.slice(0, 3)) {
    await page.keyboard.press('n');
    await expectPlaces(page, result, time);
  }
  await page.keyboard.press('p');
  await expectPlaces(page, result, later[1]);
  await page.keyboard.press('End');
  await expectPlaces(page, result, result.end);
  const plot = await page.locator('.plot svg').first().boundingBox();
  await page.mouse.click(plot.x + plot.width / 2, plot.y + plot.height / 2);
  assert.ok(Math.abs((await timeOf(page)) / result.end - 0.5) < 0.1);
  await page.keyboard.press('z');
  assert.match(await page.textContent('#window'), / to .* s/);
  await page.keyboard.press('x');
  assert.equal(await page.textContent('#window'), '');
  await closed(page);
});

test('playing moves on at the chosen speed, ends at the end and starts anew', async () => {
  const result = made('trigger');
  const page = await opened(result);
  await page.getByLabel('Speed', { exact: true }).selectOption('0.1');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForTimeout(1000);
  await page.getByRole('button', { name: 'Pause' }).click();
  const t = await timeOf(page);
  assert.ok(t > 0.05 && t < 0.2, `after a second at a tenth: ${t}`); // a busy machine drops frames
  await expectPlaces(page, result, Number(await page.locator('#scrub').inputValue()));
  await page.getByLabel('Speed', { exact: true }).selectOption('1');
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: 'Play' }).waitFor();
  assert.equal(await timeOf(page), result.end);
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction((end) => Number(document.getElementById('scrub').value) < end, result.end);
  await closed(page);
});

test('traces, forces and names are shown as wished', async () => {
  const result = made('trigger');
  const page = await opened(result);
  const seen = (selector) => page.locator(selector).first().isVisible();
  assert.equal(await seen('#stage .trace'), false);
  await page.getByRole('checkbox', { name: 'traces' }).check();
  assert.equal(await seen('#stage .trace'), true);
  await shot(page, 'traces');
  await page.keyboard.press('t');
  assert.equal(await seen('#stage .trace'), false);
  assert.equal(await seen('#stage .force circle'), true);
  await page.getByRole('checkbox', { name: 'contact forces' }).uncheck();
  assert.equal(await seen('#stage .force circle'), false);
  assert.equal(await seen('#stage .names text[data-name]'), true);
  await page.keyboard.press('b');
  assert.equal(await seen('#stage .names text[data-name]'), false);
  const plots = await page.locator('.plot').count();
  await page.getByLabel('Add a plot', { exact: true }).selectOption({ index: 5 });
  assert.equal(await page.locator('.plot').count(), plots + 1);
  await page.getByRole('button', { name: /^Remove the plot/ }).last().click();
  assert.equal(await page.locator('.plot').count(), plots);
  await closed(page);
});

// The arrow of a contact is its whole force: it leans from the normal by the angle of friction.
test('friction leans the arrows of contacts', async () => {
  const result = made('ladder_rough', 'ladder_wall', ['--set', 'mu_floor=0.2', '--set', 'mu_wall=0.2']);
  const page = await opened(result);
  const t = await scrub(page, 0.4); // it slides on floor and wall
  const closed_now = result.contacts.filter((c) => result.value(c + '.closed', t) > 0);
  assert.equal(closed_now.length, 2);
  const arrows = await page.$$eval('.force:not([display=none])', (groups) =>
    groups.map((g) => ({
      name: g.dataset.contact,
      friction: Number(g.dataset.friction),
      angle: Number(/rotate\((\S+)\)/.exec(g.getAttribute('transform'))[1]),
      head: g.querySelector('path').getAttribute('display'),
    })),
  );
  assert.deepEqual(arrows.map((a) => a.name), closed_now);
  // The floor and the wall of the model are along the axes: normals at a multiple of 90 degrees.
  for (const { name, friction, angle, head } of arrows) {
    const normal = result.value(name + '.normal', t), expected = result.value(name + '.friction', t);
    assert.ok(Math.abs(expected) > 1e-3 * normal, `${name} rubs`);
    assert.ok(Math.abs(friction - expected) <= fiveDigits * Math.abs(expected), `${name}: ${friction}, not ${expected}`);
    const lean = (Math.atan2(expected, normal) * 180) / Math.PI, off = (((angle - lean) % 90) + 90) % 90;
    assert.ok(Math.min(off, 90 - off) < 0.05, `${name} points to ${angle}, leaning by ${lean}`);
    assert.equal(head, 'inline');
  }
  await shot(page, 'friction');
  await closed(page);
});

test('the topology is shown as a picture', async () => {
  const result = made('trigger');
  const page = await opened(result);
  const graph = page.locator('.topology .graphs svg').first();
  assert.equal(await graph.isVisible(), true);
  assert.equal(await graph.locator('circle.link').count(), result.bodies.length);
  assert.ok((await graph.locator('path.contact.active').count()) > 0);
  await graph.scrollIntoViewIfNeeded();
  await shot(page, 'topology');
  await closed(page);
});

test('letters are large enough on every screen', async () => {
  for (const model of ['marble_run', 'trigger'])
    for (const width of [360, 768, 1400]) {
      const page = await opened(made(model), { width });
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('svg text')]
          .filter((text) => text.textContent && text.getBoundingClientRect().width > 0)
          .map((text) => [text.textContent, parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d])
          .filter(([, pixels]) => Math.abs(pixels) < 10.9),
      );
      assert.deepEqual(small, [], `${model} on ${width} pixels`);
      await closed(page);
    }
});

test('names of bodies and of paths do not cover each other while they move', async () => {
  const result = made('trigger');
  const page = await opened(result, { width: 360 });
  await page.keyboard.press('t'); // the paths and their names
  let shown = 0;
  for (let k = 0; k <= 20; ++k) {
    await scrub(page, (k / 20) * result.end);
    const names = await page.$$eval('#stage .names text', (texts) =>
      texts.filter((t) => getComputedStyle(t).visibility === 'visible').map((t) => {
        const { x, y, width } = t.getBoundingClientRect();
        return { x, y, width, body: t.dataset.name !== undefined, size: parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().d };
      }));
    shown += names.filter((n) => n.body).length;
    names.forEach((a, i) =>
      names.slice(0, i).forEach((b) =>
        assert.ok(a.x >= b.x + b.width - 1 || b.x >= a.x + a.width - 1 || Math.abs(a.y - b.y) >= 0.99 * a.size, `two names at step ${k}`)));
  }
  assert.ok(shown > 0.9 * 21 * result.bodies.length, 'hardly any is left out');
  await closed(page);
});

// 1385 events on some hundred pixels.
test('many events do not hide the curves', async () => {
  const result = made('escapement');
  for (const width of [360, 1400]) {
    const page = await opened(result, { width });
    const places = async (kind) => {
      const d = (await page.locator(`#plot-list .plot path.${kind}`).first().getAttribute('d')) ?? '';
      return [...d.matchAll(/M([\d.]+)/g)].map((m) => Number(m[1]));
    };
    assert.deepEqual(await places('mark'), []);
    const ticks = await places('tick');
    assert.ok(ticks.length > 20);
    for (let i = 1; i < ticks.length; ++i) assert.ok(ticks[i] - ticks[i - 1] >= 3, 'ticks are apart'); // 4, rounded to pixels
    assert.equal(await page.locator('.mark-note').first().textContent(), `${result.events.length} events, marks merged`);
    for (let i = 0; i < 6; ++i) await page.keyboard.press('z');
    assert.ok((await places('mark')).length > 0, 'a short stretch has lines');
    assert.deepEqual(await places('tick'), []);
    assert.equal(await page.locator('.mark-note').first().textContent(), '');
    await shot(page, 'many_events_' + width);
    await closed(page);
  }
});

// A pixel stands for a quarter of a swing of the anchor: the stack shows the highest of it.
test('the energy ledger shows the size of fast changes', async () => {
  const result = made('escapement');
  const page = await opened(result, { width: 360 });
  const top = await page.locator('#ledger-plot svg[role=img]').evaluate((svg) => {
    const ys = [...svg.querySelectorAll('.area')].flatMap((a) => [...a.getAttribute('d').matchAll(/[ML][\d.]+ ([\d.]+)/g)].map((m) => Number(m[1])));
    const scale = [...svg.querySelectorAll('text[text-anchor=end]')].filter((t) => /^-?[\d.e-]+$/.test(t.textContent) && Number(t.getAttribute('x')) < 100);
    const [a, b] = [scale[0], scale.at(-1)].map((t) => ({ v: Number(t.textContent), y: Number(t.getAttribute('y')) - 4 }));
    return (a.v + ((Math.min(...ys) - a.y) / (b.y - a.y)) * (b.v - a.v)) / Number(svg.dataset.factor); // in J
  });
  const terms = result.names.filter((n) => n === 'energy.kinetic' || /^energy\..*\.(stored|work)$/.test(n));
  const change = (row, name) => (name.endsWith('.work') ? -1 : 1) * (row[result.names.indexOf(name)] - result.rows[0][result.names.indexOf(name)]);
  const highest = Math.max(...result.rows.map((row) => terms.reduce((sum, name) => sum + Math.max(0, change(row, name)), 0)));
  // Places are rounded to a tenth of some 200 pixels.
  assert.ok(Math.abs(top - highest) < 2e-3 * highest, `${top}, not ${highest}`);
  await closed(page);
});

test('it fits a telephone', async () => {
  const result = made('trigger');
  const page = await opened(result, { width: 360, height: 740 });
  await page.keyboard.press('n');
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360, 'nothing is wider than the screen');
  for (const verdict of await page.locator('.audit .checks tbody td:nth-child(5)').all()) {
    const box = await verdict.boundingBox();
    assert.ok(box.x + box.width <= 360, 'verdicts of the audit are not cut off');
  }
  for (const button of await page.locator('.buttons button').all()) {
    const box = await button.boundingBox();
    assert.ok(box.width >= 40 && box.height >= 40, 'a finger finds the button');
  }
  const outline = page.locator('#stage .body path').first();
  assert.equal(await outline.evaluate((path) => getComputedStyle(path).vectorEffect), 'non-scaling-stroke', 'outlines stay visible');
  await shot(page, 'narrow');
  await shot(page, 'narrow_whole', true);
  await closed(page);
});

test('names of the graph stand inside of it, also on a telephone', async () => {
  const page = await opened(made('slider_crank'), { width: 360, height: 740 });
  const graph = await page.locator('#graph svg').boundingBox();
  for (const name of await page.locator('#graph text').all()) {
    const box = await name.boundingBox();
    assert.ok(box.x >= graph.x - 1 && box.x + box.width <= graph.x + graph.width + 1, 'names of the graph stand inside of it');
  }
  await closed(page);
});

// Relative luminance of a colour as the browser gives it, after WCAG 2.
const contrast = (page, selector) =>
  page.locator(selector).first().evaluate((element) => {
    const luminance = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let ground = element;
    while (ground && /rgba\(0, 0, 0, 0\)|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
    const style = getComputedStyle(element);
    const a = luminance(element instanceof SVGElement ? style.fill : style.color),
      b = luminance(getComputedStyle(ground ?? document.documentElement).backgroundColor);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
test('it can be read in light and in dark', async () => {
  const result = made('slider_fourbar');
  for (const dark of [false, true]) {
    const page = await opened(result, { dark });
    await page.keyboard.press('n');
    for (const selector of ['h1', '.facts', '.badge', '#event-list td button', '#now', '.plot text', '.legend output', 'td', '#stage .names text'])
      assert.ok((await contrast(page, selector)) >= 4.5, `${selector}, ${dark ? 'dark' : 'light'}: ${await contrast(page, selector)}`);
    const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(Number(/\d+/.exec(paper)[0]) < 100, dark);
    await shot(page, dark ? 'dark' : 'light', true);
    await closed(page);
  }
});

test('paper shows everything, light and without controls', async () => {
  const result = made('trigger');
  const page = await opened(result, { dark: true });
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'light');
  assert.equal(await page.locator('#transport').isVisible(), false);
  assert.equal(await page.locator('pre').isVisible(), true);
  assert.equal(await page.locator('#stage svg').isVisible(), true);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.equal(await page.locator('pre').isVisible(), false);
  const pdf = await page.pdf({ format: 'A4' });
  assert.ok(pdf.length > 30000);
  writeFileSync(join(screenshots, 'paper.pdf'), pdf);
  await closed(page);
});

test('it can be used with a keyboard and a screen reader', async () => {
  const result = made('cam_arcs');
  const page = await opened(result);
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, svg[role=img], section')].filter(
      (e) => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.labels?.length || e.textContent.trim()),
    ).length);
  assert.equal(nameless, 0);
  const reached = new Set();
  for (let i = 0; i < 90; ++i) {
    await page.keyboard.press('Tab');
    const { id, outline } = await page.evaluate(() => ({ id: document.activeElement.id, outline: getComputedStyle(document.activeElement).outlineStyle }));
    if (id) assert.notEqual(outline, 'none', `${id} shows that it has the focus`);
    reached.add(id);
  }
  for (const id of ['scrub', 'previous', 'play', 'next', 'speed', 'show-forces', 'add-plot']) assert.ok(reached.has(id), id);
  assert.equal(await page.locator('#now').getAttribute('aria-live'), 'polite');
  await page.locator('#scrub').focus();
  await page.keyboard.press('n');
  assert.match(await page.locator('#scrub').getAttribute('aria-valuetext'), /^t = .* s$/);
  assert.match(await page.textContent('#now'), /C#1/);
  const errors = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
    return ids.filter((id, i) => ids.indexOf(id) !== i);
  });
  assert.deepEqual(errors, [], 'every id is there once');
  await closed(page);
});

test('the stage is zoomed, moved, and a click inspects a body', async () => {
  const result = made('trigger');
  const page = await opened(result);
  const box = () => page.locator('#stage svg.inspect, #canvas > svg').first().evaluate((svg) => svg.viewBox.baseVal.width);
  const whole = await box();
  await page.click('#view-in');
  assert.ok(Math.abs((await box()) / whole - 1 / 1.4) < 1e-3);
  const canvas = await page.locator('#canvas').boundingBox();
  const left = () => page.locator('#canvas > svg').first().evaluate((svg) => svg.viewBox.baseVal.x);
  const before = await left();
  await page.mouse.move(canvas.x + 30, canvas.y + 30);
  await page.mouse.down();
  await page.mouse.move(canvas.x + 90, canvas.y + 30, { steps: 4 });
  await page.mouse.up();
  assert.ok((await left()) < before, 'the picture follows the pointer');
  await page.click('#view-fit');
  assert.ok(Math.abs((await box()) / whole - 1) < 1e-6);
  // The numbers of a body at a moment, in the units that are shown.
  const t = await scrub(page, 0.3 * result.end);
  const at = await page.locator('[data-body=L3] path').first().evaluate((path) => {
    const p = path.getPointAtLength(0), m = path.getScreenCTM();
    return [m.a * p.x + m.c * p.y + m.e, m.b * p.x + m.d * p.y + m.f];
  });
  await page.mouse.click(at[0] + 1, at[1] + 1);
  assert.equal(await page.locator('#inspected').isVisible(), true);
  const body = await page.textContent('#inspector h3');
  assert.equal(await page.locator(`.body.selected[data-body="${body}"]`).count(), 1);
  const angle = Number(await page.textContent(`#inspector [data-column="${body}.angle"]`));
  assert.ok(Math.abs(angle - result.value(body + '.angle', t)) < 1e-4, `${angle}`);
  await page.click('#follow');
  const place = () => page.locator(`[data-body="${body}"]`).first().evaluate((g) => ({ x: g.getScreenCTM().e, y: g.getScreenCTM().f }));
  const then = await place();
  await scrub(page, 0.8 * result.end);
  const now = await place();
  assert.ok(Math.hypot(now.x - then.x, now.y - then.y) < 0.5, 'the body stays where it is on the screen');
  await page.keyboard.press('m');
  assert.equal(await page.locator('.lens .mechanism').count(), 1);
  await shot(page, 'inspected');
  await closed(page);
});

test('events are filtered by kind, and tell more on demand', async () => {
  const result = made('trigger');
  const page = await opened(result);
  const rows = page.locator('#event-list tbody tr:not(.whole):visible');
  const all = await rows.count();
  const kinds = await page.locator('.kind').evaluateAll((list) => list.map((b) => [b.dataset.kind, Number(/\d+$/.exec(b.textContent)[0])]));
  assert.equal(kinds.reduce((sum, [, n]) => sum + n, 0), result.events.length);
  for (const [kind] of kinds) if (kind !== 'transition') await page.click(`.kind[data-kind=${kind}]`);
  assert.equal(await rows.count(), kinds.find(([kind]) => kind === 'transition')[1]);
  await page.click('.kind[data-kind=impact]');
  assert.ok((await rows.count()) > 2);
  for (const height of await rows.evaluateAll((list) => list.slice(0, 20).map((r) => r.getBoundingClientRect().height))) assert.ok(height < 40, 'one line');
  await rows.first().locator('[aria-expanded]').click();
  assert.match(await page.textContent('#event-list tr.whole'), /./);
  await rows.first().locator('[aria-expanded]').click();
  assert.equal(await page.locator('#event-list tr.whole').count(), 0);
  assert.ok(all > 20);
  await closed(page);
});

test('a link leads to a moment; curves, expressions and stretches as wished', async () => {
  const result = made('cam_arcs');
  const page = await opened(result);
  await page.goto(pathToFileURL(result.file).href + '#t=' + 0.25 * result.end);
  await page.waitForFunction((t) => Math.abs(Number(document.getElementById('scrub').value) - t) < 1e-9, 0.25 * result.end);
  await expectPlaces(page, result, 0.25 * result.end);
  await scrub(page, 0.5 * result.end);
  await page.click('#link');
  assert.match(page.url(), /#t=/);
  assert.ok(Math.abs(Number(/#t=(.*)/.exec(page.url())[1]) - 0.5 * result.end) < 1e-6);
  // A curve that is off leaves its plot.
  const plot = page.locator('.plot', { has: page.locator('.legend .switch') }).first();
  const drawn = () => plot.locator('.series').evaluateAll((list) => list.filter((p) => p.getAttribute('d') !== '').length);
  const curves = await drawn();
  await plot.locator('.switch').first().click();
  assert.equal(await drawn(), curves - 1);
  // An expression against the columns it is made of.
  const body = result.bodies[0];
  await page.fill('#own-plot', `2*${body}.omega - 1`);
  await page.keyboard.press('Enter');
  const own = page.locator('#plot-list .plot').last();
  const value = Number(await own.locator('output').textContent()), factor = Number(await own.locator('svg[role=img]').getAttribute('data-factor'));
  const expected = 2 * result.value(body + '.omega', Number(await page.locator('#scrub').inputValue())) - 1;
  assert.ok(Math.abs(value / factor - expected) < 1e-4 * Math.max(1, Math.abs(expected)), `${value}, not ${expected}`);
  await page.fill('#own-plot', 'alert(1)');
  await page.keyboard.press('Enter');
  assert.match(await page.textContent('#own-problem'), /no column alert/);
  // A stretch marked with Shift; each axis has at least three numbers.
  const box = await own.locator('svg[role=img]').boundingBox();
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 60, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  assert.match(await page.textContent('#window'), / to .* s/);
  for (const svg of await page.locator('#plot-list .plot svg[role=img]').all()) {
    const texts = await svg.locator('text').evaluateAll((list) => list.filter((t) => /^-?[\d.e-]+$/.test(t.textContent)).map((t) => t.getAttribute('text-anchor')));
    assert.ok(texts.filter((a) => a === 'end').length >= 3 && texts.filter((a) => a === 'middle').length >= 3, `${texts}`);
  }
  await page.click('#zoom-all');
  assert.equal(await page.textContent('#window'), '');
  await closed(page);
});

test('vectors and centres are where mechanics puts them', async () => {
  const result = made('fourbar', 'fourbar_coupler');
  const page = await opened(result);
  const t = await scrub(page, 0.3 * result.end);
  await page.check('#show-centres');
  await page.check('#show-velocities');
  await page.check('#show-centrodes');
  const scale = await page.evaluate(() => Number(document.querySelector('#stage svg').dataset.scale));
  for (const body of result.bodies) {
    const [x, y, vx, vy, w] = ['x', 'y', 'vx', 'vy', 'omega'].map((tail) => result.value(`${body}.${tail}`, t));
    const cross = page.locator(`.layers .centre[data-body="${body}"]`);
    if ((await cross.count()) === 0) continue;
    const [, left, cy, right] = /^M(\S+) (\S+)H(\S+)M/.exec(await cross.getAttribute('d')).map(Number);
    assert.ok(Math.abs((left + right) / 2 - scale * (x - vy / w)) < 0.05 && Math.abs(cy - scale * (y + vx / w)) < 0.05, body);
  }
  assert.ok((await page.locator('.layers .velocity').count()) >= 2);
  assert.ok((await page.locator('.layers .centrode').count()) >= 2, 'the coupler has a fixed and a moving centrode');
  await shot(page, 'vectors');
  await closed(page);
});

test('its policy allows no script but its own, and it leads to the studio', async () => {
  const result = made('trigger');
  const page = await opened(result);
  const policy = await page.locator('meta[http-equiv]').getAttribute('content');
  assert.match(policy, /^default-src 'none'; script-src 'sha256-/);
  assert.ok(!/unsafe/.test(policy));
  const { inflateRawSync } = await import('node:zlib');
  const link = await page.locator('#open-studio').getAttribute('href');
  assert.ok(link.startsWith('http://127.0.0.1:8173/#model='));
  const text = inflateRawSync(Buffer.from(link.split('#model=')[1], 'base64url')).toString();
  assert.equal(text, await page.evaluate(() => document.getElementById('model-text').textContent));
  await page.evaluate(() => document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' })));
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.ok(problems.splice(0).some((p) => /Content Security Policy/.test(p)));
  await closed(page);
});

test('a report of 2000 samples is below 1.5 MB', () => {
  const result = made('two_thousand', 'trigger', ['--step', '0.2 ms']);
  assert.ok(result.rows.length >= 2000);
  assert.ok(statSync(result.file).size < 1.5e6);
});

test('a result of 100 000 samples is shown within a second and plays smoothly', async () => {
  const result = made('long', 'slider_fourbar', ['--step', '12.5 us']);
  assert.ok(result.rows.length >= 100000);
  // The time of the frame after the picture is there.
  const watch = () => {
    const look = () => {
      if (document.querySelector('#stage svg .body')?.getBoundingClientRect().width > 0)
        requestAnimationFrame((t) => (window.pictured = t));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };
  const page = await opened(result, { script: watch });
  const pictured = await page.evaluate(() => window.pictured);
  const playable = await page.evaluate(() => performance.now());
  assert.ok(pictured < 1000, `first picture after ${pictured} ms`);
  await page.getByLabel('Speed', { exact: true }).selectOption('0.2');
  await page.keyboard.press(' ');
  const mean = await page.evaluate(
    () =>
      new Promise((done) => {
        const begin = performance.now();
        let frames = 0;
        const count = (t) => (++frames, t - begin > 3000 ? done((t - begin) / frames) : requestAnimationFrame(count));
        requestAnimationFrame(count);
      }),
  );
  assert.ok(mean < 33, `mean frame ${mean} ms`);
  console.log(`# first picture ${Math.round(pictured)} ms, ready ${Math.round(playable)} ms, mean frame ${mean.toFixed(1)} ms`);
  await page.keyboard.press(' ');
  const event = result.events.length - 1;
  await page.locator('#event-list tbody tr').nth(event).locator('button').first().click();
  await expectPlaces(page, result, result.events[event]);
  await expectForces(page, result, result.events[event]);
  await scrub(page, 0.7 * result.end);
  // Of the ends of its span a readout shows the middle; the motor's moment moves little in a span.
  await expectReadouts(page, result, 'Drivers', '.force', 0.7 * result.end, 1e-2);
  await shot(page, 'long');
  await closed(page);
});
