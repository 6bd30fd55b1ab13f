// How fast the studio and a report answer in Chromium: the five numbers that tests/browser keeps
// within three times their limits. Writes a table, and the drags of every example beside it.
// Usage: node bench/studio.mjs [OUT.csv]; PAWL, CHROMIUM, STUDIO name what is not in its usual place.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const out = resolve(process.argv[2] ?? join(root, 'bench/results/studio.csv'));
const work = mkdtempSync(join(tmpdir(), 'pawl-bench-'));
process.env.CHROMIUM ??= 'chromium';
if (!process.env.CHROMIUM.includes('/')) process.env.CHROMIUM = execFileSync('which', [process.env.CHROMIUM]).toString().trim();
process.env.STUDIO_SOURCE ??= join(root, 'web/studio');
process.env.WORK ??= work;
const studio = process.env.STUDIO ?? join(root, 'build/engine/studio'),
  pawl = process.env.PAWL ?? join(root, 'build/release/pawl');
const tests = pathToFileURL(join(root, 'tests/browser/')).href;
const { launch, open, serve } = await import(tests + 'studio_page.mjs');
const { dragTimes, editTimes, examplesOf, firstInteraction, frameRate, percentile, processorTime, reportTime, wanted } = await import(tests + 'studio_speed.mjs');

const { server, address } = await serve(studio);
const rows = [];
// `processor`: processor time of the page for one of them, ms.
const note = (what, unit, goal, middle, worst, processor) => {
  rows.push([what, unit, goal, middle.toFixed(1), worst.toFixed(1), processor?.toFixed(1) ?? '']);
  console.log(`${what}: ${middle.toFixed(1)} ${unit} (worst ${worst.toFixed(1)}, wanted ${goal}${processor === undefined ? '' : `; processor ${processor.toFixed(1)} ms`})`);
};
const times = async (count, one) => {
  const list = [];
  for (let i = 0; i < count; ++i) list.push(await one());
  return list;
};

// Each with a browser of its own: nothing is cached.
const ready = await times(5, async () => {
  const browser = await launch();
  const { time } = await firstInteraction(browser, address);
  await browser.close();
  return time;
});
note('first interaction, cold', 'ms', wanted.ready, percentile(ready, 0.5), percentile(ready, 1));

const browser = await launch();
const page = await open(browser, address);
const edits = await editTimes(page, 25);
note('an edit to new kinematics', 'ms', wanted.edit, percentile(edits, 0.5), percentile(edits, 1), edits.processor);

const drags = [];
for (const name of examplesOf(studio)) {
  const list = await dragTimes(page, name);
  if (list.length > 0) drags.push([name, percentile(list, 0.5), percentile(list, 0.95), list.processor]);
}
drags.sort((a, b) => b[2] - a[2]);
note(`a drag answered, 95th percentile of 40, ${drags.length} examples`, 'ms', wanted.drag, percentile(drags.map((d) => d[2]), 0.5), drags[0][2], Math.max(...drags.map((d) => d[3])));
console.log('slowest: ' + drags.slice(0, 8).map(([name, middle, high]) => `${name} ${high.toFixed(1)} (median ${middle.toFixed(1)})`).join(', '));

const frames = await times(3, () => frameRate(page, 3));
note('200 bodies', 'frames/s', wanted.frames, percentile(frames.map((f) => f.rate), 0.5), Math.min(...frames.map((f) => f.rate)), percentile(frames.map((f) => f.processor), 0.5));
await page.context().close();

execFileSync(pawl, ['run', join(root, 'models/slider_fourbar.toml'), '--quiet', '--step', '12.5 us', '--out', join(work, 'long')]);
execFileSync(pawl, ['report', join(work, 'long'), '--quiet']);
const reports = await times(5, () => reportTime(browser, pathToFileURL(join(work, 'long.html')).href));
note(`a report of ${readFileSync(join(work, 'long/trajectory.csv'), 'utf8').split('\n').length - 2} samples opens`, 'ms', wanted.report, percentile(reports, 0.5), percentile(reports, 1));
await browser.close();
server.close();
rmSync(work, { recursive: true });

mkdirSync(dirname(out), { recursive: true });
const table = (head, list) => [head.join(','), ...list.map((row) => row.join(',')), ''].join('\n');
writeFileSync(out, table(['what', 'unit', 'wanted', 'median', 'worst', 'processor time [ms]'], rows));
writeFileSync(out.replace(/\.csv$/, '_drags.csv'), table(['example', 'median [ms]', '95th percentile [ms]', 'processor time [ms]'], drags.map(([name, ...t]) => [name, ...t.map((v) => v.toFixed(2))])));
console.log(`load ${loadavg()[0].toFixed(1)}; tables in ${dirname(out)}`);
