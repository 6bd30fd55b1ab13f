// The page as files: the engine and the examples are fetched, the worker is a module.
import { EngineClient } from './engine/engine_client';
import { Example } from './page/gallery';
import { Studio } from './studio';

async function fetched(name: string): Promise<Response> {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
}

async function start(): Promise<void> {
  const engine = new EngineClient(() => new Worker('worker.js', { type: 'module' }), fetched('engine.wasm').then((a) => a.arrayBuffer()));
  const [examples, licences] = await Promise.all([
    fetched('examples.json').then((a) => a.json() as Promise<Example[]>),
    fetched('licences.txt').then((a) => a.text()),
  ]);
  const single = async (model: string) => {
    const page = await fetched('pawl_studio.html').then((a) => a.text());
    const inside = JSON.stringify(model).replace(/</g, '\\u003c');
    return new Blob([page.replace('<script type="application/json" id="pawl-model">null<', () => `<script type="application/json" id="pawl-model">${inside}<`)]);
  };
  await new Studio({ engine, examples, licences, single }).ready;
}

start().catch((problem: Error) => {
  document.body.dataset.failed = problem.message;
  document.getElementById('cards')!.textContent = `The studio could not start: ${problem.message}`;
});
