// What the studio promises besides drawing and pulling: the text and its units, one history, what
// Delete takes, tools that stay, what is seen, files, links and exports, fingers.
// Usage: CHROMIUM=program STUDIO=folder STUDIO_SOURCE=web/studio MODELS=models WORK=folder node --test studio_rules_test.mjs
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { close, drawing, empty, example, launch, onScreen, open, openText, pointer, pose, serve, settled, shot, stateIs, textOf, tool } from './studio_page.mjs';

const { STUDIO, MODELS, WORK } = process.env;
let browser, server, address;
before(async () => {
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  ({ server, address } = await serve(STUDIO));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});
const model = (name) => readFileSync(join(MODELS, name + '.toml'), 'utf8');
const toast = (page, words) => page.waitForFunction((w) => new RegExp(w).test(document.getElementById('toast').textContent), words.source);
const hint = (page, words) => page.waitForFunction((w) => new RegExp(w).test(document.getElementById('hint').textContent), words.source);
const textChanges = (page, old) => page.waitForFunction((t) => JSON.parse(localStorage.getItem('pawl-studio-document')).text !== t, old);
async function dragBy(page, from, to, steps = 8) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps });
}
const middleOf = async (locator) => {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

// A parallelogram: its crank stands at 60 degrees.
const parallelogram = `format = 1
name = "Parallelogram"
[units]
length = "mm"
[parameters]
r = 100
twice = "2*r"
[body.ground]
points = { O = [0, 0], Q = [200, 0] }
[body.crank]
angle = "60 deg"
points = { A = ["r", 0] }
[body.coupler]
position = [50, 86.60254]
points = { B = ["2*r", 0], C = ["r + 50 mm", "r/4"], D = ["r + twice", 20], E = ["twice", 40] }
[body.rocker]
position = [200, 0]
angle = "60 deg"
points = { B = ["r", 0] }
[joint.O]
type = "revolute"
a = "ground.O"
b = "crank"
[joint.A]
type = "revolute"
a = "crank.A"
b = "coupler"
[joint.B]
type = "revolute"
a = "coupler.B"
b = "rocker.B"
[joint.Q]
type = "revolute"
a = "ground.Q"
b = "rocker"
[profile.disc]
body = "rocker"
elements = [{ type = "circle", centre = [0, 0], radius = "r/5" }]
`;

test('redundant joints and dead positions are named and marked while the mechanism is pulled', async () => {
  const page = await open(browser, address);
  await openText(page, parallelogram);
  await stateIs(page, /^1 degree/);
  await page.click('#mode-move');
  const at = async (degrees) => onScreen(page, 0.1 * Math.cos((degrees * Math.PI) / 180), 0.1 * Math.sin((degrees * Math.PI) / 180));
  await dragBy(page, await at(60), await at(35));
  await page.waitForFunction(() => !document.getElementById('start-here').hidden);
  assert.equal(await page.locator('#canvas .redundant').count(), 0);
  await page.mouse.move(...(await at(0)), { steps: 6 });
  await hint(page, /Redundant in this position: joints O, A, B, Q/);
  assert.ok((await page.locator('#canvas .redundant').count()) >= 4, 'the joints are marked');
  await shot(page, 'redundant');
  await page.mouse.move(...(await at(30)), { steps: 6 });
  await page.waitForFunction(() => document.querySelectorAll('#canvas .redundant').length === 0);
  await page.mouse.up();
  // The slider of a crank cannot be pulled beyond its dead position.
  await example(page, 'slider_crank');
  await page.click('#mode-move');
  const slider = await pose(page, 'slider');
  await dragBy(page, await onScreen(page, slider.x, slider.y), await onScreen(page, slider.x + 1, slider.y), 12);
  await hint(page, /^Dead position, joint \w+ holds it: /);
  assert.equal(await page.locator('#canvas .holding').count() > 0, true);
  await shot(page, 'dead_position');
  await page.mouse.up();
  await page.click('#mode-build');
  assert.equal(await page.locator('#canvas :is(.holding, .redundant)').count(), 0);
  await close(page);
});

test('a place that contacts hold on all sides is called jammed', async () => {
  const page = await open(browser, address);
  await openText(page, `format = 1
[units]
length = "mm"
[body.block]
position = [75, -75]
[profile.wall]
body = "ground"
elements = [{ type = "line", from = [100, 300], to = [100, -300] }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [300, -100], to = [-300, -100] }]
[profile.slope]
body = "ground"
elements = [{ type = "line", from = [20, -80], to = [80, -20] }]
[profile.block]
body = "block"
elements = [
    { type = "line", from = [-25, -25], to = [25, -25] },
    { type = "line", to = [25, 25] },
    { type = "line", to = [-25, 25] },
    { type = "line", to = [-25, -25] },
]
[contact.C]
a = "wall"
b = "block"
[contact.D]
a = "floor"
b = "block"
[contact.E]
a = "slope"
b = "block"
`);
  await stateIs(page, /degrees of freedom/);
  await page.click('#mode-move');
  await dragBy(page, await onScreen(page, 0.075, -0.075), await onScreen(page, 0, 0));
  await hint(page, /^Jammed: contact E holds it/);
  await shot(page, 'jammed');
  await close(page);
});

test('nothing is parsed while a body is pulled, and one request is under way at a time', async () => {
  const page = await open(browser, address, {
    script: () => {
      const post = Worker.prototype.postMessage,
        pulls = new Set();
      window.asked = [];
      window.most = 0;
      // Known to be answered before the page hears of it, and asks anew.
      Object.defineProperty(Worker.prototype, 'onmessage', {
        set(heard) {
          this.addEventListener('message', (e) => {
            pulls.delete(e.data.id);
            heard.call(this, e);
          });
        },
      });
      Worker.prototype.postMessage = function (message, ...more) {
        if (message?.request) {
          const { do: what } = JSON.parse(message.request);
          window.asked.push(what);
          if (what === 'pull') pulls.add(message.id);
          window.most = Math.max(window.most, pulls.size);
        }
        return post.call(this, message, ...more);
      };
    },
  });
  await example(page, 'fourbar_coupler');
  await page.click('#mode-move');
  await page.evaluate(() => (window.asked.length = 0));
  const grip = await middleOf(page.locator('#canvas [data-body=crank] path').first());
  await dragBy(page, grip, [grip[0] + 60, grip[1] + 40], 60);
  // Many at once.
  await page.evaluate(([x, y]) => {
    for (let k = 0; k < 20; ++k) document.getElementById('canvas').dispatchEvent(new PointerEvent('pointermove', { pointerId: 1, pointerType: 'mouse', button: -1, buttons: 1, clientX: x - k, clientY: y, bubbles: true }));
  }, [grip[0] + 60, grip[1] + 40]);
  await page.waitForTimeout(200);
  await page.mouse.up();
  const { asked, most } = await page.evaluate(() => ({ asked: window.asked, most: window.most }));
  assert.ok(asked.filter((what) => what === 'pull').length > 3, `${asked}`);
  assert.deepEqual([...new Set(asked)].filter((what) => what !== 'pull' && what !== 'grab'), []);
  assert.equal(most, 1);
  await close(page);
});

test('an expression of one parameter is dragged by its parameter; any other is locked and says why', async () => {
  const page = await open(browser, address);
  await openText(page, parallelogram);
  await stateIs(page, /^1 degree/);
  await page.click('.parts [data-path="body.coupler"]');
  const handle = (name, body = 'coupler') => page.locator(`.overlay .handle[data-handle="body.${body}.points.${name}"]`);
  await page.waitForSelector('.overlay .handle[data-handle$="points.C"]', { state: 'attached' });
  assert.equal(await page.locator('.overlay .handle.locked').count(), 0, 'one coordinate of each can be changed');
  const from = await middleOf(handle('C'));
  const before = await textOf(page);
  await dragBy(page, from, [from[0] + 40, from[1]]);
  await page.mouse.up();
  await textChanges(page, before);
  const r = Number(/^r = (\S+)$/m.exec(await textOf(page))[1]);
  assert.ok(r > 105 && r < 250, `r = ${r}`);
  assert.match(await textOf(page), /C = \["r \+ 50 mm", "r\/4"\]/, 'the expressions stay');
  await page.click('#undo');
  assert.equal(await textOf(page), before);
  // A radius.
  await page.click('.parts [data-path="profile.disc"]');
  await page.waitForSelector('.overlay .handle[data-handle$=radius]', { state: 'attached' });
  const rim = await middleOf(page.locator('.overlay .handle[data-handle$=radius]'));
  await dragBy(page, rim, [rim[0] + 20, rim[1]]);
  await page.mouse.up();
  await textChanges(page, before);
  assert.ok(Number(/^r = (\S+)$/m.exec(await textOf(page))[1]) > 101 || Number(/^r = (\S+)$/m.exec(await textOf(page))[1]) < 99);
  await page.click('#undo');
  // Locked: two parameters in it, or a parameter that is an expression.
  const locked = before.replace('D = ["r + twice", 20], E = ["twice", 40]', 'D = ["r + twice", "r - twice"], E = ["twice", "twice/2"]');
  await openText(page, locked);
  await stateIs(page, /^1 degree/);
  await page.click('.parts [data-path="body.coupler"]');
  await page.waitForSelector('.overlay .handle.locked', { state: 'attached' });
  assert.equal(await page.locator('.overlay .handle.locked').count(), 2);
  await page.mouse.click(...(await middleOf(handle('D'))));
  await toast(page, /cannot be dragged: it is the expression r \+ twice of 2 parameters/);
  await page.mouse.click(...(await middleOf(handle('E'))));
  await toast(page, /the parameter twice is itself an expression/);
  await shot(page, 'locked');
  assert.equal(await textOf(page), locked);
  await close(page);
});

test('what a drag would give is seen while the pointer is down, and the view keeps still', async () => {
  const page = await open(browser, address);
  await example(page, 'fourbar_coupler');
  await page.waitForFunction(() => !document.getElementById('scrub').disabled);
  const before = await textOf(page);
  await page.click('.parts [data-path="body.crank"]');
  await page.waitForSelector('.overlay .handle', { state: 'attached' });
  const rocker = await pose(page, 'rocker'),
    scale = await page.evaluate(() => document.getElementById('scale-bar').style.width);
  const from = await middleOf(page.locator('.overlay .handle:not(.locked)').first());
  await dragBy(page, from, [from[0] - 120, from[1] + 60]);
  await page.waitForFunction((a) => Math.abs(Number(/rotate\((\S+)\)/.exec(document.querySelector('#canvas .body[data-body=rocker]').getAttribute('transform'))[1]) - a) > 1, rocker.angle);
  assert.equal(await textOf(page), before, 'the text waits for the end of the drag');
  assert.equal(await page.evaluate(() => document.getElementById('scale-bar').style.width), scale);
  await shot(page, 'drag_seen');
  // Back where it was: nothing is written, and the picture is as before.
  await page.mouse.move(...from, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((a) => Math.abs(Number(/rotate\((\S+)\)/.exec(document.querySelector('#canvas .body[data-body=rocker]').getAttribute('transform'))[1]) - a) < 0.2, rocker.angle);
  assert.equal(await textOf(page), before);
  assert.equal(await page.locator('#undo').isDisabled(), true);
  await close(page);
});

test('new text has the units of the file, as fine as a pixel', async () => {
  const page = await open(browser, address);
  await openText(page, 'format = 1\nname = "Inches"\n[units]\nlength = "in"\n');
  await stateIs(page, /Nothing is drawn yet/);
  const hand = await pointer(page);
  await tool(page, 'Link');
  await page.keyboard.down('Alt');
  await hand.click([0.4, 0.51]);
  await hand.click([0.6, 0.37]);
  await page.keyboard.up('Alt');
  await settled(page, '[body.link1]');
  const numbers = /position = \[(\S+), (\S+)\][^[]*B = \[(\S+), /.exec((await textOf(page)).replace('points', '')) ?? /position = \[(\S+), (\S+)\]/.exec(await textOf(page));
  const pixels = await page.evaluate(() => document.querySelector('#canvas').clientWidth / 0.4), // per metre of an empty stage
    inch = 0.0254;
  for (const n of numbers.slice(1, 3)) {
    assert.ok(Math.abs(Number(n) * inch) < 0.3, `${n} in`);
    assert.ok((n.split('.')[1] ?? '').length <= Math.ceil(Math.log10(pixels * inch)) + 2, `${n}: finer than a pixel`);
  }
  await close(page);
});

test('view, selection and time are not in the history; a selection outlives edits', async () => {
  const page = await open(browser, address);
  await example(page, 'slider_crank');
  await page.click('.parts [data-path="body.crank"]');
  await page.click('#zoom-in-view');
  await page.focus('#canvas');
  await page.keyboard.press('End');
  await page.click('#show-names');
  assert.equal(await page.locator('#undo').isDisabled(), true);
  await page.fill('#property-name', 'arm');
  await page.keyboard.press('Tab');
  await settled(page, '[body.arm]');
  assert.equal(await page.locator('.parts [aria-selected=true]').getAttribute('data-path'), 'body.arm');
  // Typed above it: the same part is selected.
  await page.click('#tab-text');
  await page.click('#editor .cm-content');
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('# a line\n');
  await settled(page, '# a line');
  await page.click('.parts [data-path="body.rod"]');
  await page.click('#tab-properties');
  await page.click('#undo');
  await page.waitForTimeout(200);
  assert.equal(await page.locator('.parts [aria-selected=true]').getAttribute('data-path'), 'body.rod');
  assert.match(await page.textContent('#properties h2'), /rod/);
  await close(page);
});

test('keys and kinds are completed and explained from the format', async () => {
  const page = await open(browser, address);
  await example(page, 'slider_crank');
  await page.locator('#editor .cm-line', { hasText: '[body.rod]' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type('\nmas');
  await page.waitForSelector('#editor .cm-tooltip-autocomplete');
  assert.match(await page.textContent('#editor .cm-tooltip-autocomplete'), /mass/);
  await shot(page, 'completion');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  for (let i = 0; i < 5; ++i) await page.keyboard.press('Control+z');
  await page.locator('#editor .cm-line', { hasText: /^type = / }).first().hover({ position: { x: 12, y: 8 } });
  await page.locator('#editor .cm-line', { hasText: /^mass = |^points = / }).first().hover({ position: { x: 12, y: 8 } });
  await page.waitForSelector('#editor .cm-help');
  assert.match(await page.textContent('#editor .cm-help'), /mass|points/i);
  await close(page);
});

test('Delete takes the parts that refer to a part, names them, and undo brings it back', async () => {
  const page = await open(browser, address);
  await example(page, 'slider_crank');
  const before = await textOf(page);
  await page.click('.parts [data-path="body.rod"]');
  await page.focus('#canvas');
  await page.keyboard.press('Delete');
  await textChanges(page, before);
  await toast(page, /Deleted, with the parts that referred to it: body\.rod, .*joint\.\w+.*Undo brings it back/);
  assert.ok(!/\[body\.rod\]|"rod\b/.test(await textOf(page)));
  await page.click('#undo');
  assert.equal(await textOf(page), before);
  await close(page);
});

test('a tool returns to selection after one use, a double click keeps it; Esc ends it, then the selection', async () => {
  const page = await open(browser, address),
    { hand, mm } = await drawing(page);
  const pressed = () => page.getAttribute('#tools [aria-label="Link"]', 'aria-pressed');
  await tool(page, 'Link');
  await hand.click(mm([-60, 0]));
  await hand.click(mm([-20, 0]));
  await settled(page, '[body.link1]');
  assert.equal(await pressed(), 'false');
  await page.dblclick('#tools [aria-label="Link"]');
  for (const [y, name] of [[30, 'link2'], [60, 'link3']]) {
    await hand.click(mm([-60, y]));
    await hand.click(mm([-20, y]));
    await settled(page, `[body.${name}]`);
  }
  assert.equal(await pressed(), 'true');
  await hand.click(mm([20, 20]));
  await page.keyboard.press('Escape');
  assert.equal(await pressed(), 'true', 'what was begun is given up first');
  await page.keyboard.press('Escape');
  assert.equal(await pressed(), 'false');
  assert.equal(await page.locator('.parts [aria-selected=true]').count(), 1);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.parts [aria-selected=true]').count(), 0);
  assert.equal(await page.locator('.parts [data-path^="body.link"]').count(), 3);
  await close(page);
});

test('a shape on empty ground is a body with a mass; with X it is part of the ground', async () => {
  const page = await open(browser, address),
    { hand, mm, use } = await drawing(page);
  const corners = [[-60, 20], [-20, 20], [-20, 60], [-60, 20]];
  await tool(page, 'Profile');
  await page.mouse.move(...hand.at(mm(corners[0])));
  await page.waitForFunction(() => /a new body/.test(document.querySelector('.overlay .note')?.textContent ?? ''));
  for (const p of corners) await hand.click(mm(p));
  await settled(page, '[profile.shape1]');
  const [x, y] = /\[body\.plate1\]\nposition = \[(\S+), (\S+)\]/.exec(await textOf(page)).slice(1).map(Number);
  assert.ok(Math.abs(x + 100 / 3) < 0.1 && Math.abs(y - 100 / 3) < 0.1, `the origin is the centre of the triangle: ${x}, ${y}`);
  assert.match(await textOf(page), /\[profile\.shape1\]\nbody = "plate1"[^[]*\[(?:.|\n)*thickness = "5 mm"\ndensity = "7850 kg\/m\^3"/);
  await stateIs(page, /^3 degrees of freedom/);
  assert.equal(await page.locator('.parts [aria-selected=true]').getAttribute('data-path'), 'body.plate1');
  await use('Smooth profile', [[30, 20], [70, 20], [60, 60], [30, 20]], '[body.plate2]');
  // Fixed: by the key, and by the button.
  await tool(page, 'Profile');
  await page.keyboard.press('x');
  await page.mouse.move(...hand.at(mm([-60, -60])));
  await page.waitForFunction(() => /part of the ground/.test(document.querySelector('.overlay .note')?.textContent ?? ''));
  await shot(page, 'part_of_the_ground');
  for (const p of [[-60, -60], [60, -60], [60, -40], [-60, -60]]) await hand.click(mm(p));
  await settled(page, '[profile.shape3]');
  assert.match(await textOf(page), /\[profile\.shape3\]\nbody = "ground"/);
  await tool(page, 'Circle');
  await page.click('#on-ground');
  await hand.click(mm([90, -20]));
  await hand.click(mm([100, -20]));
  await settled(page, '[profile.shape4]');
  assert.match(await textOf(page), /\[profile\.shape4\]\nbody = "ground"\nelements = \[\{ type = "circle", centre = \[90, -20\], radius = 10 \}\]/);
  // A free body goes with the pointer, and by one step back.
  const before = await textOf(page);
  await page.click('.parts [data-path="body.plate1"]');
  await page.waitForTimeout(150);
  await hand.drag(mm([-30, 26]), mm([-10, 46]));
  const seen = await pose(page, 'plate1');
  await page.mouse.up();
  await textChanges(page, before);
  await page.waitForTimeout(200);
  const moved = await pose(page, 'plate1');
  assert.ok(Math.abs(moved.x - 0.001 * (x + 20)) < 1.1e-3 && Math.abs(moved.y - 0.001 * (y + 20)) < 1.1e-3, JSON.stringify(moved));
  assert.ok(Math.hypot(moved.x - seen.x, moved.y - seen.y) < 1e-4, 'it stays where it was dropped');
  await page.click('#undo');
  assert.equal(await textOf(page), before);
  await close(page);
});

test('statics follow each edit', async () => {
  const page = await open(browser, address);
  await openText(page, model('pendulum').replace(/analysis = "\w+"/, 'analysis = "statics"').replace(/^\[run\]$/m, (run) => (model('pendulum').includes('analysis') ? run : run + '\nanalysis = "statics"')));
  await stateIs(page, /./);
  const body = await page.locator('#canvas .mechanism .body').nth(1).getAttribute('data-body');
  await page.waitForFunction((b) => Math.abs(Number(/rotate\((\S+)\)/.exec(document.querySelector(`#canvas [data-body="${b}"]`).getAttribute('transform'))[1]) % 360 + 90) < 0.01, body);
  await shot(page, 'statics');
  await close(page);
});

test('vectors, centres, normals and coordinates are shown; a body is followed, the lens magnifies', async () => {
  const page = await open(browser, address);
  const layers = async (...list) => {
    await page.click('#show-more summary');
    for (const [layer, selector] of list) {
      assert.equal(await page.locator(`.layers ${selector}`).count(), 0, layer);
      await page.check('#layer-' + layer);
      assert.ok((await page.locator(`.layers ${selector}`).count()) > 0, layer);
    }
    await shot(page, 'layers_' + list[0][0]);
  };
  await example(page, 'slider_crank');
  await page.waitForFunction(() => !document.getElementById('scrub').disabled);
  await page.locator('#scrub').evaluate((e) => {
    e.value = String(Number(e.max) * 0.3);
    e.dispatchEvent(new Event('input'));
  });
  await layers(['velocities', '.velocity'], ['accelerations', '.acceleration'], ['centres', '.centre'], ['centrodes', '.centrode']);
  await page.mouse.click(5, 600);
  await example(page, 'cam_flat');
  await stateIs(page, /ready to run/);
  await page.click('#run');
  await stateIs(page, /Completed/);
  await page.waitForFunction(() => !document.getElementById('scrub').disabled);
  const seek = (share) => page.locator('#scrub').evaluate((e, s) => {
    e.value = String(Number(e.max) * s);
    e.dispatchEvent(new Event('input'));
  }, share);
  await seek(0.15);
  await layers(['normals', '.normal'], ['coordinates', '.coordinate']);
  assert.ok((await page.locator('.layers .track').count()) >= 2, 'the way of the contact on both profiles');
  const words = await page.textContent('.layers .coordinate');
  assert.match(words, /^a -?\d+\.\d{3} +b -?\d+\.\d{3}$/);
  await seek(0.22);
  assert.notEqual(await page.textContent('.layers .coordinate'), words);
  await page.click('#lens');
  assert.match(await page.textContent('#lens'), /10 times/);
  assert.equal(await page.locator('.lens').isVisible(), true);
  await page.click('#lens');
  // The follower stays where it is on the screen while everything else moves.
  await page.mouse.click(5, 400);
  const body = 'follower';
  await page.click(`.parts [data-path="body.${body}"]`);
  await page.click('#show-more summary');
  await page.check('#follow');
  const place = () => page.locator(`#canvas [data-body="${body}"]`).evaluate((g) => {
    const m = g.getScreenCTM();
    return [m.e, m.f];
  });
  await seek(0.1);
  const before = await place();
  await seek(0.45);
  const after = await place();
  assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) < 1.5, `${before} ${after}`);
  await close(page);
});

test('a picture to trace gets its size from two places', async () => {
  const page = await open(browser, address),
    { hand, mm } = await drawing(page);
  await page.click('#show-more summary');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#background')]);
  await chooser.setFiles({ name: 'square.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="#c80"/><script>parent.ran = 1</script></svg>') });
  await page.waitForSelector('#canvas img.background');
  const width = async () => (await page.locator('#canvas img.background').boundingBox()).width;
  const first = await width();
  await page.mouse.click(...hand.at(mm([-20, -60])));
  await page.click('#show-more summary');
  await page.click('#background-scale');
  const box = await page.locator('#canvas img.background').boundingBox();
  await page.mouse.click(box.x + 0.25 * box.width, box.y + 20);
  await page.mouse.click(box.x + 0.75 * box.width, box.y + 20);
  await page.fill('#asked', '60 mm');
  await page.click('#answer');
  // Half of its width is 60 mm; an empty stage is 400 mm wide.
  const stage = (await page.locator('#canvas').boundingBox()).width;
  await page.waitForFunction((w) => Math.abs(document.querySelector('#canvas img.background').getBoundingClientRect().width - w) > 1, first);
  assert.ok(Math.abs((await width()) - (0.12 / 0.4) * stage) < 3, `${await width()} of ${stage} px`);
  await shot(page, 'background');
  assert.equal(await page.evaluate(() => window.ran), undefined);
  await close(page);
});

test('the stiff integrator that the page lacks is named where a run asks for it', async () => {
  const page = await open(browser, address);
  await example(page, 'toggle_latch');
  await stateIs(page, /ready to run/);
  await page.click('#run');
  await stateIs(page, /Completed.*stiff: the program has an integrator for this/);
  await close(page);
});

test('files are opened and written where they are, and not over what another program has changed', async () => {
  // The picker of the browser cannot be clicked by a test: real files of the origin stand in for its choice.
  const page = await open(browser, address, {
    script: () => {
      const file = async () => (await navigator.storage.getDirectory()).getFileHandle('mine.toml', { create: true });
      window.showOpenFilePicker = async () => [await file()];
      window.showSaveFilePicker = async () => (window.givesUp ? Promise.reject(new DOMException('', 'AbortError')) : file());
    },
  });
  const disk = (text) => page.evaluate(async (t) => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle('mine.toml', { create: true });
    if (t !== undefined) {
      const stream = await handle.createWritable();
      await stream.write(t);
      await stream.close();
    }
    return (await handle.getFile()).text();
  }, text);
  await disk(model('slider_crank'));
  await page.click('#open-gallery');
  await stateIs(page, /1 degree of freedom/);
  await page.click('.parts [data-path="run"]');
  await page.fill('#property-end', '0.5 s');
  await page.keyboard.press('Tab');
  await settled(page, 'end = "0.5 s"');
  await page.keyboard.press('Control+s');
  await toast(page, /Saved as mine\.toml/);
  assert.equal(await disk(), await textOf(page));
  await disk('format = 1 # by another\n');
  await page.click('#save-file');
  await page.waitForSelector('#dialog[open]');
  assert.match(await page.textContent('#dialog'), /has changed on disk\. Nothing was written/);
  assert.equal(await disk(), 'format = 1 # by another\n');
  await page.click('#dialog button:text("Replace")');
  await page.waitForFunction(() => !document.getElementById('dialog').open);
  await page.waitForTimeout(200);
  assert.equal(await disk(), await textOf(page));
  // Given up: nothing happens, nothing is said.
  await page.click('#home');
  await page.click('#new-model');
  await page.evaluate(() => {
    window.givesUp = true;
    document.getElementById('toast').hidden = true;
  });
  await page.click('#save-file');
  await page.waitForTimeout(200);
  assert.equal(await page.locator('#toast').isVisible(), false);
  // Without a picker: a download.
  await page.evaluate(() => {
    window.showSaveFilePicker = undefined;
  });
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('#save-file')]);
  assert.equal(saved.suggestedFilename(), 'new_mechanism.toml');
  await close(page);
});

test('results are exported: the report, events and motion as tables, the picture', async () => {
  const page = await open(browser, address);
  await example(page, 'ratchet');
  await stateIs(page, /ready to run/);
  await page.click('#run');
  await stateIs(page, /Completed/);
  const saved = async (words) => {
    await page.click('#export');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click(`#dialog button:has-text("${words}")`)]);
    await page.click('#dialog .dialog-buttons button');
    return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
  };
  const report = await saved('Report');
  assert.match(report.name, /\.html$/);
  assert.match(report.content.toString(), /^<!DOCTYPE html>/i);
  const events = (await saved('Events as')).content.toString().split('\n');
  assert.match(events[0], /^t \[s\],kind,element/);
  assert.equal(events.length - 2, Number(/\d+/.exec(await page.textContent('#tab-events'))[0]));
  const motion = (await saved('Motion as')).content.toString().trimEnd().split('\n');
  assert.match(motion[0], /^t \[s\],.*\.omega \[rad\/s\]/);
  assert.ok(motion.length > 20 && motion.every((row) => row.split(',').length === motion[0].split(',').length));
  assert.match((await saved('SVG')).content.toString(), /^<svg[^>]*width="\d+"/);
  const png = (await saved('PNG')).content;
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.ok(png.readUInt32BE(16) > 800 && png.length > 5000, 'a picture of some size');
  await close(page);
});

test('a link of a public address holds the whole model, and nothing of the token', async () => {
  const remote = await launch(['--host-resolver-rules=MAP pawl.test 127.0.0.1', `--unsafely-treat-insecure-origin-as-secure=http://pawl.test:${new URL(address).port}`]);
  const page = await open(remote, address.replace('127.0.0.1', 'pawl.test'));
  await page.evaluate(() => sessionStorage.setItem('pawl-studio-token', 'feedfacefeedface'));
  await example(page, 'ratchet');
  await page.click('#share');
  const link = await page.inputValue('#dialog input[aria-label="Link"]');
  assert.ok(link.startsWith(address.replace('127.0.0.1', 'pawl.test')) && !link.includes('feedface'));
  assert.equal(inflateRawSync(Buffer.from(link.split('#model=')[1], 'base64url')).toString(), await textOf(page));
  await close(page);
  await remote.close();
});

test('fingers: one moves the ground, two zoom, a tap selects and snaps from farther away', async () => {
  const page = await open(browser, address, { width: 390, height: 844, touch: true });
  await example(page, 'slider_crank');
  const view = () => page.evaluate(() => document.querySelector('#canvas svg.picture').getAttribute('viewBox').split(' ').map(Number));
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const box = await page.locator('#canvas').boundingBox(),
    at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
  const first = await view();
  await touch('touchStart', at(0.5, 0.85));
  for (let k = 1; k <= 5; ++k) await touch('touchMove', [at(0.5, 0.85)[0] + 10 * k, at(0.5, 0.85)[1]]);
  await touch('touchEnd');
  const panned = await view();
  assert.ok(panned[0] < first[0] && Math.abs(panned[2] - first[2]) < 1e-6 * first[2], `${first} ${panned}`);
  await touch('touchStart', at(0.45, 0.5), at(0.55, 0.5));
  for (let k = 1; k <= 5; ++k) await touch('touchMove', at(0.45 - 0.03 * k, 0.5), at(0.55 + 0.03 * k, 0.5));
  await touch('touchEnd');
  const zoomed = await view();
  assert.ok(zoomed[2] < 0.5 * panned[2], `${panned} ${zoomed}`);
  await page.click('#fit');
  // A tap 13 px beside the end of a link meets it.
  await page.click('#home');
  await page.click('#new-model');
  await page.waitForSelector('#canvas svg.picture');
  const place = (x, y) => onScreen(page, x, y);
  await page.click('#tools [aria-label="Link"]');
  await page.touchscreen.tap(...(await place(-0.1, 0)));
  await page.touchscreen.tap(...(await place(0, 0)));
  await settled(page, '[body.link1]');
  await page.click('#tools [aria-label="Link"]');
  const end = await place(0, 0);
  await page.touchscreen.tap(end[0] + 9, end[1] + 9);
  await page.touchscreen.tap(...(await place(0.05, 0.05)));
  await settled(page, '[joint.pin1]');
  assert.match(await textOf(page), /\[joint\.pin1\]\ntype = "revolute"\na = "link1\.B"\nb = "link2\.A"/);
  await close(page);
});

test('the licences of what is bundled are on the page, and the gallery fills its cards', async () => {
  const page = await open(browser, address);
  const licences = await page.textContent('#licences');
  for (const name of ['@codemirror/view', '@codemirror/legacy-modes', '@lezer/highlight']) assert.ok(licences.includes(name), name);
  assert.match(licences, /MIT/);
  // Every picture shows something of some size.
  await page.evaluate(async () => {
    for (const card of document.querySelectorAll('.card')) {
      card.scrollIntoView();
      await new Promise(requestAnimationFrame);
    }
  });
  await page.waitForFunction(() => document.querySelectorAll('.card .picture svg').length === document.querySelectorAll('.card').length);
  const small = await page.evaluate(() => [...document.querySelectorAll('.card')].flatMap((card) => {
    const frame = card.querySelector('.picture').getBoundingClientRect();
    const boxes = [...card.querySelectorAll('.mechanism .body')].map((b) => b.getBoundingClientRect()).filter((b) => b.width + b.height > 0);
    const width = Math.max(...boxes.map((b) => b.right)) - Math.min(...boxes.map((b) => b.left)),
      height = Math.max(...boxes.map((b) => b.bottom)) - Math.min(...boxes.map((b) => b.top));
    return Math.max(width / frame.width, height / frame.height) < 0.6 ? [card.dataset.example] : [];
  }));
  assert.deepEqual(small, []);
  const sizes = await page.evaluate(() => new Set([...document.querySelectorAll('.card b')].map((b) => getComputedStyle(b).fontSize)).size);
  assert.equal(sizes, 1, 'one size of letters');
  await close(page);
});

test('what flies away does not make the picture small', async () => {
  const page = await open(browser, address);
  await openText(page, `format = 1
[body.ball]
points = { A = [0, 0] }
mass = 1
inertia = 1
velocity = [0, 300]
[body.ground]
points = { O = [0, 0], P = [1, 0] }
[body.link]
points = { A = [0, 0], B = [1, 0] }
mass = 1
inertia = 1
[joint.O]
type = "revolute"
a = "ground.O"
b = "link.A"
[force.weight]
type = "gravity"
[run]
analysis = "dynamics"
end = "1 s"
step = "10 ms"
`);
  await stateIs(page, /ready to run/);
  await page.click('#run');
  await stateIs(page, /Completed/);
  await page.click('#fit');
  const width = await page.locator('#canvas [data-body=link] path').first().evaluate((e) => Math.hypot(e.getBoundingClientRect().width, e.getBoundingClientRect().height));
  assert.ok(width > 60, `the link of 1 m is ${width} px long beside a ball that goes 295 m`);
  await shot(page, 'flies_away');
  await close(page);
});

test('the middle of an empty stage invites, and is never blank', async () => {
  const page = await open(browser, address);
  await empty(page);
  assert.match(await page.textContent('.overlay .invitation'), /Draw/);
  await close(page);
});
