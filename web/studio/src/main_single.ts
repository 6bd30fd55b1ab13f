// The page as one file: the engine, its worker and the examples stand in it, compressed; the worker
// is made from a blob. Works from disk, where modules and fetch do not.
import { EngineClient } from './engine/engine_client';
import { Example } from './page/gallery';
import { unpack } from '../../stage/link';
import { Studio } from './studio';

const content = (id: string) => document.getElementById(id)!.textContent!;
const packed = (id: string) => unpack(Uint8Array.from(atob(content(id).trim()), (c) => c.charCodeAt(0)), Infinity, 'gzip');

async function start(): Promise<void> {
  const bytes = packed('pawl-engine').then((b) => b.buffer),
    [worker, examples] = await Promise.all([packed('pawl-worker'), packed('pawl-examples')]);
  const script = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
  const engine = new EngineClient(() => new Worker(script), bytes);
  const model = JSON.parse(content('pawl-model')) as string | null;
  const single = (text: string) => Promise.resolve(new Blob([singleText(text)]));
  await new Studio({ engine, examples: JSON.parse(new TextDecoder().decode(examples)) as Example[], licences: content('pawl-licences'), single, model: model ?? undefined }).ready;
}
// The file as it was before the page was used.
const pristine = document.documentElement.outerHTML;
function singleText(text: string): string {
  const inside = JSON.stringify(text).replace(/</g, '\\u003c');
  return '<!DOCTYPE html>\n' + pristine.replace(/(<script type="application\/json" id="pawl-model">)[^<]*</, (_all, head: string) => `${head}${inside}<`);
}

start().catch((problem: Error) => {
  document.body.dataset.failed = problem.message;
  document.getElementById('cards')!.textContent = `The studio could not start: ${problem.message}`;
});
