// Builds the studio from the engine and the sources beside this file: a folder of files for a web
// server, and one HTML file for mail and disk.
// Usage: node build.mjs ENGINE_FOLDER MODELS_FOLDER OUT_FOLDER
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const [engineDir, modelsDir, out] = process.argv.slice(2).map((p) => resolve(p));
const require = createRequire(import.meta.url);
const esbuild = require('esbuild');
mkdirSync(out, { recursive: true });

// ---- the examples with their pictures
const { engineIn } = await import('./engine_in_node.mjs');
const call = await engineIn(engineDir);

function categoryOf(name, text) {
  if (/trigger|latch|ratchet|geneva|escapement/.test(name)) return 'Latches and stepping';
  if (/^cam/.test(name)) return 'Cams';
  if (/type = "(gear|rack|roll_\w+)"/.test(text)) return 'Gears and rolling';
  if (/\[contact\.|clearance/.test(text)) return /friction|kinetic =/.test(text) ? 'Contact with friction' : 'Contact and impact';
  if (/analysis = "dynamics"|analysis = "statics"/.test(text)) return 'Dynamics';
  return 'Linkages';
}
// The first sentence of the comment at the head of a model.
function noteOf(text) {
  const lines = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('#')) break;
    lines.push(line.replace(/^# ?/, '').trim());
  }
  const all = lines.join(' ');
  return (/^(.*?[.:])(?= +[A-Z]| *$)/.exec(all)?.[1] ?? all).replace(/:$/, '.');
}
// A run of at most so many milliseconds: the heaviest examples are known well enough by then.
function ran(analysis) {
  if (analysis !== 'dynamics') return call('analyse');
  call('begin');
  const until = Date.now() + 3000;
  while (Date.now() < until && !call('advance', { milliseconds: 200 }).over);
  return call('finish');
}
// The moment that tells most: an event in the first third of those that matter, before things lie at
// rest; else a third of the way.
function tellingTime(motion) {
  const { events } = motion.about,
    matters = events.filter((e) => e.t > 0 && /impact|contact_formed|contact_lost|transition|snap/.test(e.kind));
  if (matters.length > 0) return matters[Math.floor((matters.length - 1) / 3)].t;
  const bytes = Buffer.from(motion.blocks[motion.about.time], 'base64'),
    end = bytes.readDoubleLE(bytes.length - 8);
  return 0.35 * end;
}
function pictureOf(read) {
  try {
    const outcome = ran(read.run.analysis),
      { svg } = call('still', { t: tellingTime(outcome.motion) });
    if (svg) return cropped(svg);
  } catch (problem) {
    console.log(`${read.run.analysis}: ${problem.message}`); // the start is shown instead
  }
  return cropped(read.motion.stage);
}
// Without words, and without their room.
function cropped(svg) {
  return svg
    .replace(/<rect width='100%'[^>]*\/>\n?/, '')
    .replace(/<g class='names'[\s\S]*?<\/g>\n/, '')
    .replace(/<text[^>]*>[^<]*<\/text>/g, '')
    .replace(/<title>[^<]*<\/title>/g, '')
    .replace(/<g class='contact[^']*'[\s\S]*?<\/g>\n?/g, '')
    .replace(/<path class='contact open'[^>]*>(<\/path>)?\n?/g, '');
}
const order = ['Latches and stepping', 'Cams', 'Linkages', 'Contact and impact', 'Contact with friction', 'Gears and rolling', 'Dynamics'];
const examples = [];
for (const file of readdirSync(modelsDir).filter((f) => f.endsWith('.toml')).sort()) {
  const text = readFileSync(join(modelsDir, file), 'utf8'),
    name = file.replace(/\.toml$/, '');
  const read = call('read', { text });
  if (!read.motion) throw new Error(`${file}: ${JSON.stringify(read.problems)}`);
  const picture = pictureOf(read);
  const title = /^name = "(.*)"/m.exec(text)?.[1] ?? name;
  examples.push({ name, title, note: noteOf(text), category: categoryOf(name, text), picture, text });
}
examples.sort((a, b) => order.indexOf(a.category) - order.indexOf(b.category));

// ---- licences of what is bundled
const packages = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8')).packages;
const licences = Object.entries(packages)
  .filter(([path, p]) => path !== '' && !p.dev)
  .map(([path, p]) => {
    const folder = join(here, path),
      file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
    return `${path.replace('node_modules/', '')} ${p.version} (${p.license})\n\n${file ? readFileSync(join(folder, file), 'utf8') : ''}`;
  })
  .join('\n\n');

// ---- scripts
const common = { bundle: true, minify: true, charset: 'utf8', target: 'es2022', logLevel: 'warning', absWorkingDir: here };
const aliases = { alias: { engine: join(engineDir, 'engine.js') }, external: ['fs', 'path', 'crypto'] };
await esbuild.build({ ...common, entryPoints: ['src/main.ts'], format: 'esm', outfile: join(out, 'main.js') });
await esbuild.build({ ...common, ...aliases, entryPoints: ['src/engine/worker.ts'], format: 'esm', outfile: join(out, 'worker.js') });
await esbuild.build({ ...common, entryPoints: ['src/page/style.css'], outfile: join(out, 'style.css') });
const script = async (entry, more = {}) => {
  const built = await esbuild.build({ ...common, ...more, entryPoints: [entry], format: 'iife', write: false });
  return built.outputFiles[0].text;
};
const page = readFileSync(join(here, 'src/page/index.html'), 'utf8');
const filled = (parts) => page.replace(/<!--(policy|preload|style|script)-->/g, (_, name) => parts[name] ?? '');
const policyOf = (rules) => `<meta http-equiv="Content-Security-Policy" content="${rules}">`;

// ---- (a) files
const fixed = "base-uri 'none'; form-action 'none'";
writeFileSync(
  join(out, 'index.html'),
  filled({
    policy: policyOf(`default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; ${fixed}`),
    preload: ['engine.wasm', 'examples.json'].map((file) => `<link rel="preload" href="${file}" as="fetch" fetchpriority="low" crossorigin>`).join('\n'),
    style: '<link rel="stylesheet" href="style.css">',
    script: '<script type="module" src="main.js"></script>',
  }),
);
writeFileSync(join(out, 'examples.json'), JSON.stringify(examples));
writeFileSync(join(out, 'licences.txt'), licences);
copyFileSync(join(engineDir, 'engine.wasm'), join(out, 'engine.wasm'));

// ---- (b) one file
const inScript = (text) => text.replace(/<\/(script|style)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
const style = readFileSync(join(out, 'style.css'), 'utf8').trimEnd(),
  main = inScript(await script('src/main_single.ts')).trimEnd();
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const text = (id, content) => `<script type="text/plain" id="${id}">${content}</script>`;
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString('base64');
writeFileSync(
  join(out, 'pawl_studio.html'),
  filled({
    policy: policyOf(`default-src 'none'; script-src ${hash(main)} 'wasm-unsafe-eval' blob:; worker-src blob:; style-src ${hash(style)}; img-src data: blob:; ${fixed}`),
    style: `<style>${style}</style>`,
    script: [
      '<script type="application/json" id="pawl-model">null</script>',
      text('pawl-licences', licences.replace(/</g, '&lt;')),
      text('pawl-engine', packed(readFileSync(join(engineDir, 'engine.wasm')))),
      text('pawl-worker', packed(await script('src/engine/worker.ts', aliases))),
      text('pawl-examples', packed(JSON.stringify(examples))),
      `<script>${main}</script>`,
    ].join('\n'),
  }),
);
