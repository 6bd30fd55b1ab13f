// A browser compiles the code of the engine when it runs for the first time, and once more, well, what
// has run for a while: cold, the same answer takes ten times as long. So small models are read,
// pulled at and run while nobody asks for anything else.
import { EngineClient } from './engine_client';
import { live } from '../hand/previewing';

const rounds = 40,
  pause = 30, // ms between them, for whatever else the machine has to do
  pulls = 4;

export async function warmUp(engine: EngineClient, texts: string[]): Promise<void> {
  let own = engine.calls;
  // Nothing once somebody else has asked.
  const call: EngineClient['call'] = (what, more) => {
    if (engine.calls !== own) return Promise.reject(new Error('somebody asks'));
    ++own;
    return engine.call(what, more);
  };
  try {
    for (let round = 0; round < rounds; ++round) {
      const text = texts[round % texts.length],
        { motion } = await call('read', { text, live }),
        body = motion?.about.bodies[0]?.name;
      const { poses } = await call('grab');
      for (let k = 0; body && k < pulls; ++k) {
        const angle = (round * pulls + k) / 7;
        await call('pull', { body, place: [0.01, 0], target: [poses[0][0] + 0.05 * Math.cos(angle), poses[0][1] + 0.05 * Math.sin(angle)] });
      }
      await call('edit', { text, edits: [{ kind: 'set', path: 'run.end', value: '"1 s"' }] });
      await call('begin');
      await call('advance', { milliseconds: 5 });
      await new Promise((done) => setTimeout(done, pause));
    }
  } catch {
    // The engine is wanted, or says what is wrong with it when it is.
  }
}
