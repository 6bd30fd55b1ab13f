// How fast the studio answers, measured in the page itself: for its tests, and for bench/studio.mjs.
// Times are wall times in ms; `processor` is the processor time for one of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { example, open, stateIs } from './studio_page.mjs';

// Processor time that an action takes, ms: of the process of the page with its worker and its painting,
// and of the thread of its scripts and its layout alone.
export async function processorTime(page, action) {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const now = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return ['ProcessTime', 'ThreadTime'].map((name) => 1000 * metrics.find((m) => m.name === name).value);
  };
  const begun = await now(),
    result = await action(),
    [time, thread] = (await now()).map((t, i) => t - begun[i]);
  return { result, time, thread };
}

export const wanted = { ready: 2000, drag: 16, edit: 50, frames: 60, report: 1000 }; // ms; frames a second

// The first number of at most three that is good enough, else the last: once slow may be the machine,
// three times slow is the page.
export async function tried(one, isGood, tries = 3) {
  for (let i = 1; ; ++i) {
    const value = await one();
    if (isGood(value) || i === tries) return value;
  }
}

// The share of a sorted list that is at most this.
export const percentile = (times, share) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.ceil(share * times.length) - 1)];

// From the start of the navigation until the page can be used, in a profile that has never seen it.
export async function firstInteraction(browser, address) {
  const script = () => {
    const look = () => {
      if (document.body?.dataset.ready) window.readyAfter = performance.now();
      else requestAnimationFrame(look);
    };
    look();
  };
  const page = await open(browser, address, { script });
  const time = await page.evaluate(() => new Promise((done) => {
    const look = () => (window.readyAfter ? done(window.readyAfter) : setTimeout(look, 5));
    look();
  }));
  return { page, time };
}

// Pulls at the first body that can be taken, in a circle around the place that is held; each time from
// the move of the pointer until the picture has followed. Nothing where there is no body to take.
export async function dragTimes(page, name, count = 40) {
  await example(page, name);
  await page.click('#mode-move');
  const { result, time } = await processorTime(page, () => page.evaluate(async (n) => {
    const canvas = document.getElementById('canvas'),
      picture = canvas.querySelector('svg.picture');
    const grip = () => {
      for (const group of document.querySelectorAll('#canvas svg.picture .mechanism .body:not([data-body=ground])')) {
        const { left, top, width, height } = group.getBoundingClientRect();
        for (let i = 1; i < 24; ++i)
          for (let k = 1; k < 24; ++k) {
            const [x, y] = [left + (width * i) / 24, top + (height * k) / 24];
            if (document.elementFromPoint(x, y)?.closest('#canvas .body') === group) return [x, y];
          }
      }
      return undefined;
    };
    const from = grip();
    if (!from) return [];
    const send = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind, { pointerId: 1, pointerType: 'mouse', button: kind === 'pointermove' ? -1 : 0, buttons: 1, clientX: x, clientY: y, bubbles: true }));
    canvas.setPointerCapture = () => {}; // there is no such pointer
    const answered = () => new Promise((done) => {
      const observer = new MutationObserver(() => (observer.disconnect(), done(performance.now())));
      observer.observe(picture, { subtree: true, attributes: true, attributeFilter: ['transform'] });
    });
    send('pointerdown', ...from);
    const times = [];
    for (let i = 0; i <= n; ++i) {
      const angle = (i / n) * 2 * Math.PI,
        shown = answered(),
        begun = performance.now();
      send('pointermove', from[0] + 60 * Math.sin(angle), from[1] + 60 * (1 - Math.cos(angle)));
      times.push((await shown) - begun);
      await new Promise(requestAnimationFrame);
    }
    send('pointerup', ...from);
    return times.slice(1); // the first one waits until the mechanism can be taken
  }, count));
  return Object.assign(result, { processor: time / (count + 1) });
}

// From an entry in a form until the time line has the new kinematics.
export async function editTimes(page, count = 12) {
  await example(page, 'fourbar_coupler');
  await page.waitForTimeout(300);
  const times = [];
  let processor = 0;
  for (let i = 0; i < count; ++i) {
    await page.click('.parts [data-path="run"]');
    const { result, time } = await processorTime(page, () =>
      page.evaluate(() => {
        const input = document.getElementById('property-end');
        input.value = input.value === '1 s' ? '2 s' : '1 s';
        const begun = performance.now();
        const done = new Promise((r) => new MutationObserver((_, o) => (o.disconnect(), r(performance.now() - begun))).observe(document.getElementById('scrub'), { attributes: true, attributeFilter: ['max'] }));
        input.dispatchEvent(new Event('change'));
        return done;
      }),
    );
    times.push(result);
    processor += time / count;
  }
  return Object.assign(times, { processor });
}

// Frames a second while two hundred bodies move, and the processor time of each, as above.
export async function frameRate(page, seconds = 1.5) {
  const count = 200;
  let text = 'format = 1\nname = "Two hundred"\n[run]\nend = "20 s"\nstep = "10 ms"\n[body.ground]\npoints = {' + Array.from({ length: count }, (_, i) => ` P${i} = [${i % 20}, ${Math.floor(i / 20)}]`).join(',') + ' }\n';
  for (let i = 0; i < count; ++i) text += `[body.b${i}]\npoints = { A = [0, 0], B = [0.4, 0] }\n[joint.j${i}]\ntype = "revolute"\na = "ground.P${i}"\nb = "b${i}.A"\n[driver.d${i}]\ntype = "speed"\njoint = "j${i}"\nspeed = ${1 + (i % 7)}\n`;
  await page.evaluate((t) => localStorage.setItem('pawl-studio-document', JSON.stringify({ name: 'x', text: t })), text);
  await page.goto(new URL('#desk', page.url()).href);
  await stateIs(page, /200 degrees of freedom/);
  await page.waitForFunction(() => !document.getElementById('scrub').disabled);
  const { result, time, thread } = await processorTime(page, () => page.evaluate(async (s) => {
    const play = document.getElementById('play');
    if (!play.classList.contains('playing')) play.click(); // it may play from the try before
    let n = 0;
    const begun = performance.now();
    await new Promise((done) => {
      const frame = () => (performance.now() - begun > 1000 * s ? done() : (++n, requestAnimationFrame(frame)));
      requestAnimationFrame(frame);
    });
    return n;
  }, seconds));
  return { rate: result / seconds, processor: time / result, thread: thread / result };
}

export const examplesOf = (folder) => JSON.parse(readFileSync(join(folder, 'examples.json'), 'utf8')).map((e) => e.name);

// From the opening of a report on disk until the frame after its picture is there.
export async function reportTime(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } }),
    page = await context.newPage();
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('#stage svg .body')?.getBoundingClientRect().width > 0) requestAnimationFrame((t) => (window.pictured = t));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(address);
  await page.waitForFunction(() => window.pictured);
  const time = await page.evaluate(() => window.pictured);
  await context.close();
  return time;
}
