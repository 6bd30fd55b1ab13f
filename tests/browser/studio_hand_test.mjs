// The rules of the hand: drawing, joining, pulling, states, keys, in a real browser.
// Usage: CHROMIUM=program STUDIO=folder STUDIO_SOURCE=web/studio MODELS=models WORK=folder node --test studio_hand_test.mjs
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { close, drawing, example, launch, onScreen, open, openText, pointer, pose, serve, settled, shot, state, stateIs, textOf, tool } from './studio_page.mjs';

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

test('a cam and its follower are drawn, pressed together, and driven until they lift off', async () => {
  const page = await open(browser, address),
    { use } = await drawing(page);
  await use('Circle', [[0, -20], [30, -20]], '[profile.shape1]');
  await use('Pin to ground', [[10, -20]], '[joint.pin1]');
  await use('Circle', [[0, 30], [10, 30]], '[profile.shape2]');
  await use('Guide', [[0, 30], [0, 60]], '[joint.guide1]');
  await use('Contact', [[0, -35], [0, 35]], '[contact.contact1]');
  await shot(page, 'cam_drawn');
  // Pressed: the cam is in the way of the follower; turned, it pushes the follower before it.
  await page.click('#mode-move');
  await page.mouse.move(...(await onScreen(page, 0, 0.03)));
  await page.mouse.down();
  await page.mouse.move(...(await onScreen(page, 0, -0.02)), { steps: 10 });
  await page.waitForFunction(() => /Contact contact1 is in the way/.test(document.getElementById('hint').textContent));
  await shot(page, 'cam_pressed');
  await page.mouse.up();
  const rest = await pose(page, 'disc2');
  const from = await pose(page, 'disc1');
  await page.mouse.move(...(await onScreen(page, from.x - 0.022, from.y)));
  await page.mouse.down();
  await page.mouse.move(...(await onScreen(page, 0.008, 0.015)), { steps: 15 });
  await page.waitForTimeout(300);
  const pushed = await pose(page, 'disc2');
  await page.mouse.up();
  assert.ok(pushed.y > rest.y + 0.002, `the follower rises from ${rest.y} to ${pushed.y} m`);
  assert.ok(Math.hypot(pushed.x - (await pose(page, 'disc1')).x, pushed.y - (await pose(page, 'disc1')).y) > 0.04 - 1e-4, 'nothing passes through');
  await page.click('#mode-build');
  // Driven slowly the follower stays; at 700 rpm it lifts off.
  await use('Motor', [[10, -20]], '[driver.motor1]');
  await use('Spring', [[0, 30], [0, 65]], '[force.spring1]');
  for (const [key, value] of [['stiffness', '20 N/m'], ['free_length', '55 mm']]) {
    if (!(await page.locator('#property-' + key).isVisible())) await page.click('#properties summary');
    await page.fill('#property-' + key, value);
    await page.keyboard.press('Tab');
    await settled(page, `${key} = "${value}"`);
  }
  await use('Weight', [[0, 30]], 'analysis = "dynamics"');
  const events = async () => {
    await page.click('#run');
    await stateIs(page, /Completed, audit passed/);
    await page.click('#tab-events');
    return page.textContent('#event-list');
  };
  assert.match(await events(), /contact formed/);
  assert.doesNotMatch(await events(), /contact lost/);
  await page.click('.parts [data-path="driver.motor1"]');
  await page.fill('#property-speed', '700 rpm');
  await page.keyboard.press('Tab');
  await settled(page, 'speed = "700 rpm"');
  await stateIs(page, /ready to run/);
  assert.match(await events(), /contact lost/);
  await shot(page, 'cam_lifts_off');
  await close(page);
});

test('a catch from the gallery is pulled until it lets go', async () => {
  const page = await open(browser, address);
  await example(page, 'latch_release');
  await page.click('#mode-move');
  const before = await pose(page, 'door');
  await page.mouse.move(...(await onScreen(page, 0.03, 0.006)));
  // The door is a thin line: it is taken where the picture has it.
  const grip = await page.evaluate(() => {
    const shape = document.querySelector('#canvas [data-body="door"] path').getBoundingClientRect();
    for (let i = 39; i > 1; --i) for (let k = 0; k <= 40; ++k) {
      const x = shape.left + (shape.width * i) / 40, y = shape.top + (shape.height * k) / 40;
      if (document.elementFromPoint(x, y)?.closest('.body')?.dataset.body === 'door') return [x, y];
    }
    return null;
  });
  assert.ok(grip);
  const perMetre = (await onScreen(page, 1, 0))[0] - (await onScreen(page, 0, 0))[0];
  await page.mouse.move(...grip);
  await page.mouse.down();
  const heights = [];
  for (const way of [0.002, 0.005, 0.009, 0.015, 0.022]) {
    await page.mouse.move(grip[0] + way * perMetre, grip[1], { steps: 6 });
    await page.waitForTimeout(250);
    heights.push((await pose(page, 'plunger')).y);
  }
  await shot(page, 'catch_lets_go');
  await page.mouse.up();
  // The flank lifts the roller of 4 mm out of the notch of 6 mm; then the edge holds it up.
  assert.ok(heights[1] > heights[0] && heights[2] > heights[1], `${heights}`);
  assert.ok(Math.abs(heights[3] - 0.01) < 1e-4 && Math.abs(heights[4] - 0.01) < 1e-4, `${heights}`);
  assert.ok((await pose(page, 'door')).x > before.x + 0.02);
  await close(page);
});

test('what joints hold is named, and a rubber line joins it to the pointer', async () => {
  const page = await open(browser, address);
  await example(page, 'pendulum');
  await page.click('#mode-move');
  const body = await page.getAttribute('#canvas .mechanism .body:nth-of-type(2)', 'data-body');
  const at = await pose(page, body),
    hand = await pointer(page);
  const grip = await onScreen(page, at.x + 0.5 * Math.cos((at.angle * Math.PI) / 180), at.y + 0.5 * Math.sin((at.angle * Math.PI) / 180));
  await page.mouse.move(...grip);
  await page.mouse.down();
  await page.mouse.move(...hand.at([0.95, 0.95]), { steps: 6 });
  await page.waitForFunction(() => /Joint \w+ holds it: [\d.]+ m+ short/.test(document.getElementById('hint').textContent));
  assert.equal(await page.locator('.overlay .rubber').count(), 1);
  await shot(page, 'joint_holds');
  await page.mouse.up();
  assert.equal(await page.locator('.overlay .rubber').count(), 0);
  await close(page);
});

test('a point that is dropped in a guide slides there, and the preview says so', async () => {
  const page = await open(browser, address),
    { use, hand, mm } = await drawing(page);
  await use('Link', [[-100, 0], [-40, 0]], '[body.link1]');
  await use('Guide', [[-40, 0], [0, 0]], '[joint.guide1]');
  await tool(page, 'Link');
  await hand.click(mm([40, 60]));
  await page.mouse.move(...hand.at(mm([-25, 1])));
  await page.waitForFunction(() => /slides in guide1/.test(document.querySelector('.overlay .note')?.textContent ?? ''));
  await shot(page, 'drop_in_guide');
  await hand.click(mm([-25, 1]));
  await settled(page, '[joint.slot1]');
  assert.match(await textOf(page), /\[joint\.slot1\]\ntype = "slot"\na = "ground\.A"\nb = "link2\.B"\naxis = "0 deg"/);
  // The other end by its handle.
  await page.keyboard.press('Escape');
  await page.click('.parts [data-path="body.link2"]');
  await page.waitForSelector('.overlay .handle[data-handle="body.link2.points.A"]', { state: 'attached' });
  await hand.drag(mm([40, 60]), mm([-55, 0.5]));
  assert.match(await page.textContent('.overlay .note'), /slides in/);
  await page.mouse.up();
  await settled(page, '[joint.slot2]');
  await close(page);
});

test('snapping: a point before a curve, a curve before the grid; Alt switches it off, Shift holds 15 degrees', async () => {
  const page = await open(browser, address),
    { use, hand, mm } = await drawing(page);
  await use('Circle', [[0, 0], [40, 0]], '[profile.shape1]');
  await tool(page, 'Link');
  const note = () => page.textContent('.overlay .note');
  const hover = async (p) => {
    await page.mouse.move(...hand.at(mm(p)));
    await page.waitForTimeout(30);
  };
  await hover([1.5, 1]);
  assert.match(await note(), /disc1\.A/);
  await hand.click(mm([-90, 0]));
  await hover([40.5, 1]);
  assert.match(await note(), /perpendicular|disc1/);
  await hover([-17.5, 36.2]); // near the point of contact of the tangent from -90, 0
  assert.match(await note(), /tangent|disc1/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await tool(page, 'Link');
  await hand.click(mm([-150, 40]));
  await page.keyboard.down('Shift');
  await hover([-100, 51]);
  assert.match(await note(), /mm/);
  await hand.click(mm([-100, 51]));
  await page.keyboard.up('Shift');
  await settled(page, '[body.link1]');
  assert.match(await textOf(page), /\[body\.link1\]\nposition = .*\nangle = "15 deg"/);
  await tool(page, 'Link');
  await page.keyboard.down('Alt');
  await hand.click(mm([-150.4, -40.3]));
  await hand.click(mm([-100.7, -40.3]));
  await page.keyboard.up('Alt');
  await settled(page, '[body.link2]');
  const [x, y] = /\[body\.link2\]\nposition = \[(\S+), (\S+)\]/.exec(await textOf(page)).slice(1).map(Number);
  assert.ok(Math.abs(x + 150.4) < 0.4 && x % 5 !== 0 && Math.abs(y + 40.3) < 0.4 && y % 5 !== 0, `${x}, ${y}`);
  await close(page);
});

test('each state has its look, its words and its way out', async () => {
  const page = await open(browser, address);
  await example(page, 'slider_crank');
  await stateIs(page, /1 degree of freedom/);
  // The model is wrong: the element is red on the stage, the picture stays in colour.
  await page.locator('#editor .cm-line', { hasText: '[body.rod]' }).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await page.keyboard.type('\nmas = 3');
  await stateIs(page, /mas/);
  assert.equal(await page.locator('#canvas.wrong').count(), 1);
  assert.equal(await page.locator('#canvas.stale').count(), 0);
  assert.equal(await page.locator('#canvas .body.faulty[data-body=rod]').count(), 1);
  await shot(page, 'model_wrong');
  await page.click('#tab-properties');
  await page.click('#state');
  assert.equal(await page.getAttribute('#tab-text', 'aria-selected'), 'true');
  await page.click('#undo');
  await stateIs(page, /1 degree of freedom/);
  assert.equal(await page.locator('#canvas .faulty').count(), 0);
  // The run fails: the last position, the time, the reason.
  const rocker = readFileSync(join(MODELS, 'dead_point_rocker.toml'), 'utf8').replace('value = "25 deg"', 'value = "33 deg"');
  await openText(page, rocker);
  await stateIs(page, /t = 0\.\d+ s/);
  assert.equal(await page.locator('#state.bad').count(), 1);
  await shot(page, 'run_failed');
  console.log(`run failed: ${await state(page)}`);
  // Warnings.
  await openText(page, readFileSync(join(MODELS, 'pendulum.toml'), 'utf8').replace('[run]', '[run]\nintegrator = "stiff"'));
  await stateIs(page, /ready to run/);
  assert.equal(await page.locator('#state.warn').count(), 1, await page.getAttribute('#state', 'class'));
  await shot(page, 'warnings');
  await close(page);
});

test('a link is drawn, joined and run by keys alone', async () => {
  const page = await open(browser, address);
  await page.focus('#new-model');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#canvas svg.picture');
  await page.focus('#canvas');
  const keys = async (...list) => {
    for (const key of list) await page.keyboard.press(key);
  };
  await keys('l', 'ArrowLeft', 'Enter', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter');
  await settled(page, '[body.link1]');
  await keys('g', 'ArrowLeft', 'ArrowLeft');
  await shot(page, 'drawn_by_keys');
  await keys('Escape');
  // Typed lengths need no cursor.
  await keys('l', 'ArrowUp', 'Enter');
  await page.keyboard.type('40 mm');
  await keys('Tab');
  await page.keyboard.type('30');
  await keys('Enter');
  await settled(page, '[body.link2]');
  assert.match(await textOf(page), /\[body\.link2\]\nposition = .*\nangle = "30 deg"/);
  // Buttons keep Enter.
  await page.focus('#tab-events');
  await keys('Enter');
  assert.equal(await page.getAttribute('#tab-events', 'aria-selected'), 'true');
  await close(page);
});

test('a slider shows what it gives while it is dragged, and writes one step', async () => {
  const page = await open(browser, address);
  await example(page, 'dead_point_rocker');
  const text = await textOf(page),
    before = await pose(page, 'rocker');
  await page.click('#tab-properties');
  const range = page.locator('#properties input[type=range]');
  const slide = (value, ...kinds) =>
    range.evaluate((input, [v, events]) => {
      input.value = v;
      for (const kind of events) input.dispatchEvent(new Event(kind));
    }, [String(value), kinds]);
  await page.locator('#scrub').evaluate((e) => {
    e.value = '0.2';
    e.dispatchEvent(new Event('input'));
  });
  const there = await pose(page, 'rocker');
  for (const degrees of [24, 20, 15, 10]) await slide((degrees * Math.PI) / 180, 'input');
  await page.waitForFunction((a) => Math.abs(Number(/rotate\((\S+)\)/.exec(document.querySelector('#canvas .body[data-body=rocker]').getAttribute('transform'))[1]) - a) > 3, there.angle);
  assert.equal(await textOf(page), text, 'the text waits for the end of the drag');
  await slide((10 * Math.PI) / 180, 'input', 'change');
  await page.waitForFunction((old) => JSON.parse(localStorage.getItem('pawl-studio-document')).text !== old, text);
  assert.match(await textOf(page), /swing = \{ value = "10\.\d+ deg", min = "5 deg"/);
  await page.click('#undo');
  assert.equal(await textOf(page), text, 'one step');
  assert.ok(Number.isFinite(before.angle));
  await close(page);
});

test('while something is drawn, the grid and the place under the pointer are shown', async () => {
  const page = await open(browser, address),
    { hand, mm } = await drawing(page);
  await tool(page, 'Link');
  await page.mouse.move(...hand.at(mm([-80, 20])));
  const note = () => page.textContent('.overlay .note');
  assert.equal(await note(), '-80, 20 mm');
  await hand.click(mm([-80, 20]));
  await page.mouse.move(...hand.at(mm([-20, 100])));
  assert.equal(await note(), '-20, 100 mm · length 100 mm');
  // The numbers stand beside their lines.
  const lines = await page.evaluate(() => [...document.querySelectorAll('.grid text')].map((t) => [Number(t.textContent), t.getBoundingClientRect().left, t.getBoundingClientRect().top]));
  const x = lines.find(([value]) => value === 100),
    left = (await onScreen(page, 0.1, 0))[0];
  assert.ok(x && x[1] > left && x[1] < left + 12, `${x} beside ${left}`);
  await page.mouse.move(...hand.at([0.98, 0.5]));
  assert.ok(await page.locator('.overlay .note').evaluate((n) => n.getBoundingClientRect().right < document.getElementById('canvas').getBoundingClientRect().right), 'the words are not cut');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.grid').count(), 0);
  // The last click of a tool selects nothing by itself; what is drawn is selected and has its form.
  assert.equal(await page.getAttribute('#tab-text', 'aria-selected'), 'true');
  await tool(page, 'Link');
  await hand.click(mm([-80, 20]));
  await hand.click(mm([40, 20]));
  await settled(page, '[body.link1]');
  assert.equal(await page.getAttribute('#tab-properties', 'aria-selected'), 'true');
  await page.keyboard.press('Escape');
  await tool(page, 'Copy');
  assert.match(await page.textContent('#toast'), /Select a body first/);
  await tool(page, 'Circle');
  for (let i = 0; i < 2; ++i) await hand.click(mm([-20, 20]));
  await page.waitForFunction(() => /Both clicks/.test(document.getElementById('toast').textContent));
  assert.equal(await page.locator('.parts [aria-selected=true]').count(), 0);
  await close(page);
});

test('clicks on an empty stage snap to 5 mm, also on a small screen', async () => {
  const page = await open(browser, address, { width: 1280, height: 720 });
  await page.click('#new-model');
  await page.waitForSelector('#canvas svg.picture');
  await tool(page, 'Link');
  await page.mouse.click(...(await onScreen(page, -0.0405, 0.0148)));
  await page.mouse.click(...(await onScreen(page, 0.0951, 0.0148)));
  await settled(page, '[body.link1]');
  assert.match(await textOf(page), /position = \[-40, 15\]\nangle = "0 deg"\npoints = \{ A = \[0, 0\], B = \[135, 0\] \}/);
  await close(page);
});

test('in a file in inches the grid is in inches', async () => {
  const page = await open(browser, address);
  await openText(page, 'format = 1\nname = "Inches"\n[units]\nlength = "in"\n');
  await stateIs(page, /Nothing is drawn yet/);
  await tool(page, 'Link');
  await page.mouse.click(...(await onScreen(page, -2.01 * 0.0254, 1.02 * 0.0254)));
  await page.mouse.click(...(await onScreen(page, 1.98 * 0.0254, 1.01 * 0.0254)));
  await settled(page, '[body.link1]');
  assert.match(await textOf(page), /position = \[-2, 1\]\nangle = "0 deg"\npoints = \{ A = \[0, 0\], B = \[4, 0\] \}/);
  await close(page);
});

test('a form has a row for each entry of a table, and what was opened in it stays open', async () => {
  const page = await open(browser, address),
    { use } = await drawing(page);
  await use('Link', [[-80, 20], [40, 20]], '[body.link1]');
  assert.equal(await page.inputValue('#property-points'), '[0, 0]');
  await page.fill('#property-points-B', '[90, 0]');
  await page.keyboard.press('Tab');
  await settled(page, 'points = { A = [0, 0], B = [90, 0] }');
  await page.click('#undo');
  await settled(page, 'points = { A = [0, 0], B = [120, 0] }');
  await use('Spring', [[-80, 20], [-120, 60]], '[force.spring1]');
  await page.click('#properties summary');
  for (const [key, value] of [['damping', '0.1 N s/m'], ['free_length', '20 mm']]) {
    await page.fill('#property-' + key, value, { timeout: 2000 });
    await page.keyboard.press('Tab');
    await settled(page, `${key} = "${value}"`);
  }
  await close(page);
});

test('the slider of a motor shows how far its pin was pulled', async () => {
  const page = await open(browser, address);
  await example(page, 'fourbar_coupler');
  await page.click('#mode-move');
  const from = await pose(page, 'crank'),
    end = await onScreen(page, from.x + 0.018 * Math.cos((from.angle * Math.PI) / 180), from.y + 0.018 * Math.sin((from.angle * Math.PI) / 180)),
    pin = await onScreen(page, from.x, from.y);
  await page.mouse.move(...end);
  await page.mouse.down();
  for (let k = 1; k <= 10; ++k) await page.mouse.move(pin[0] + (end[0] - pin[0]) * Math.cos(0.1 * k) + (end[1] - pin[1]) * Math.sin(0.1 * k), pin[1] + (end[1] - pin[1]) * Math.cos(0.1 * k) - (end[0] - pin[0]) * Math.sin(0.1 * k));
  await page.waitForFunction((a) => Math.abs(Number(/rotate\((\S+)\)/.exec(document.querySelector('#canvas [data-body=crank]').getAttribute('transform'))[1]) - a) > 40, from.angle);
  await page.waitForTimeout(200);
  await page.mouse.up();
  const turned = (await pose(page, 'crank')).angle - from.angle;
  const said = async () => Number(/^(-?\d+)°$/.exec(await page.textContent('#motors output'))[1]);
  assert.ok(Math.abs((await said()) - turned) <= 0.6, `${await said()} of ${turned}`);
  // A pull after the slider was moved begins at the start again.
  await page.locator('#motors input').evaluate((range) => {
    range.value = '1';
    range.dispatchEvent(new Event('input'));
  });
  await page.waitForFunction((a) => Math.abs(Number(/rotate\((\S+)\)/.exec(document.querySelector('#canvas [data-body=crank]').getAttribute('transform'))[1]) - a - 57.3) < 1, from.angle);
  const now = await pose(page, 'crank'),
    grip = await onScreen(page, now.x + 0.018 * Math.cos((now.angle * Math.PI) / 180), now.y + 0.018 * Math.sin((now.angle * Math.PI) / 180));
  await page.mouse.move(...grip);
  await page.mouse.down();
  await page.mouse.move(grip[0] + 3, grip[1] + 3, { steps: 3 });
  await page.waitForTimeout(300);
  const after = (await pose(page, 'crank')).angle - from.angle;
  assert.ok(Math.abs((await said()) - after) <= 0.6, `${await said()} of ${after}`);
  await page.mouse.up();
  await close(page);
});

test('a model that is wrong from the start has words in the place of a picture; long words are cut until they are clicked', async () => {
  const page = await open(browser, address, { width: 390, height: 844 });
  await openText(page, 'format = 1\n[joint.A]\ntype = "revolute"\na = "ground"\nb = "crank"\n');
  await stateIs(page, /there is no body 'crank'/);
  const words = page.locator('.overlay .invitation');
  assert.match(await words.textContent(), /No picture yet/);
  const box = await words.evaluate((w) => [w.getBoundingClientRect().left, w.getBoundingClientRect().right]);
  assert.ok(box[0] > 0 && box[1] < 390, `${box}`);
  await openText(page, readFileSync(join(MODELS, 'dead_point_rocker.toml'), 'utf8').replace('value = "25 deg"', 'value = "33 deg"'));
  await stateIs(page, /t = 0\.\d+ s/);
  const height = () => page.locator('#state').evaluate((s) => s.clientHeight);
  const short = await height();
  assert.ok(short < 80, `${short} px`);
  await page.click('#state');
  assert.ok((await height()) > short);
  await close(page);
});

test('a run that pauses is shown up to where it has come', async () => {
  const page = await open(browser, address);
  await openText(page, readFileSync(join(MODELS, 'escapement.toml'), 'utf8').replace(/^end = .*$/m, 'end = "2000 s"'));
  await stateIs(page, /ready to run/);
  await page.click('#run');
  await stateIs(page, /^Running: t = [1-9]\d/);
  await page.click('#run');
  await page.waitForFunction(() => {
    const paused = /^Paused: t = (\S+) s/.exec(document.getElementById('state').textContent),
      seen = /t = (\S+) s/.exec(document.getElementById('clock').textContent);
    // Rows are 20 ms apart, and both are rounded.
    return paused && Math.abs(Number(paused[1]) - Number(seen[1])) < 0.04 + 1e-3 * Number(seen[1]);
  }, null, { timeout: 15_000 });
  await close(page);
});

test('names, paths and forces are switched on a narrow screen too; the lens shows the run of now, not the kept one', async () => {
  const page = await open(browser, address, { width: 390, height: 844, touch: true });
  await example(page, 'fourbar_coupler');
  assert.equal(await page.locator('#show-names').isVisible(), false);
  await page.click('#show-more summary');
  await page.uncheck('#layer-names');
  assert.equal(await page.locator('#canvas svg.picture .names').isVisible(), false);
  await page.click('#keep-run');
  await page.locator('#scrub').evaluate((e) => {
    e.value = '1';
    e.dispatchEvent(new Event('input'));
  });
  await page.click('#show-more summary');
  await page.click('#lens');
  // Parts of the ghost have no titles.
  assert.equal(await page.locator('svg.ghost title').count(), 0);
  assert.ok((await page.locator('.lens title').count()) > 0);
  await close(page);
});
