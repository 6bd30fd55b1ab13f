// The engine under Node, for the build and the tests: a function that takes a request and returns its
// answer. Node's own fetch must be off (--no-experimental-fetch), or its script takes Node for a page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export async function engineIn(folder) {
  const createEngine = createRequire(import.meta.url)(join(folder, 'engine.js'));
  const engine = await createEngine({ wasmBinary: readFileSync(join(folder, 'engine.wasm')) });
  return (what, more = {}) => {
    const request = JSON.stringify({ do: what, ...more }),
      size = engine.lengthBytesUTF8(request),
      at = engine._malloc(size + 1);
    engine.stringToUTF8(request, at, size + 1);
    const answer = engine.UTF8ToString(engine._pawl_call(at, size));
    engine._free(at);
    return JSON.parse(answer);
  };
}
