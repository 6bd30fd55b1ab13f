// The worker that holds the engine. It is given the bytes of the engine first, then requests as
// text; the answers are text too.
import createEngine from 'engine';

type Call = (request: string) => string;

async function engineOf(bytes: ArrayBuffer): Promise<Call> {
  const engine = await createEngine({ wasmBinary: bytes });
  return (request) => {
    const size = engine.lengthBytesUTF8(request);
    const at = engine._malloc(size + 1);
    if (at === 0) return JSON.stringify({ error: 'the text is too long for the memory of the page' });
    engine.stringToUTF8(request, at, size + 1);
    const answer = engine.UTF8ToString(engine._pawl_call(at, size));
    engine._free(at);
    return answer;
  };
}

let engine: Promise<Call> | undefined;
addEventListener('message', async ({ data }: MessageEvent<ArrayBuffer | { id: number; request: string }>) => {
  if (data instanceof ArrayBuffer) {
    engine = engineOf(data);
    return;
  }
  const { id, request } = data;
  try {
    const call = await engine!;
    postMessage({ id, answer: call(request) });
  } catch (trap) {
    // The memory of the engine cannot be trusted any more: the page starts another worker.
    postMessage({ id, trap: String(trap) });
  }
});
