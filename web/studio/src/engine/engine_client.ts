// The engine as the page sees it: requests with answers. A worker that traps or does not answer is
// replaced by a new one; what it was asked fails, and the page asks again for what it needs.
import { Answers } from './protocol';

export class EngineFailure extends Error {}

interface Waiting {
  resolve: (answer: never) => void;
  reject: (reason: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

const patience = 20_000; // ms, for one request

export class EngineClient {
  private worker!: Worker;
  private begun!: Promise<void>; // the worker has the engine
  private readonly waiting = new Map<number, Waiting>();
  calls = 0; // so far
  onRestart: (reason: string) => void = () => {};

  constructor(
    private readonly makeWorker: () => Worker,
    private readonly bytes: Promise<ArrayBuffer>,
  ) {
    this.start();
  }

  private start(): void {
    this.worker = this.makeWorker();
    this.worker.onmessage = ({ data }: MessageEvent<{ id: number; answer?: string; trap?: string }>) => {
      const asked = this.waiting.get(data.id);
      if (!asked) return;
      this.waiting.delete(data.id);
      clearTimeout(asked.timer);
      if (data.trap !== undefined) {
        asked.reject(new EngineFailure(data.trap));
        this.restart(`The engine stopped (${data.trap}) and was started again.`);
        return;
      }
      const answer = JSON.parse(data.answer!) as { error?: string };
      if (answer.error) asked.reject(new Error(answer.error));
      else asked.resolve(answer as never);
    };
    this.worker.onerror = (e) => this.restart(`The engine could not run: ${e.message}`);
    const { worker } = this;
    this.begun = this.bytes.then((bytes) => worker.postMessage(bytes.slice(0)));
  }

  restart(reason: string): void {
    this.worker.terminate();
    const left = [...this.waiting.values()];
    this.waiting.clear();
    this.start();
    for (const asked of left) {
      clearTimeout(asked.timer);
      asked.reject(new EngineFailure(reason));
    }
    this.onRestart(reason);
  }

  call<K extends keyof Answers>(what: K, more: Record<string, unknown> = {}): Promise<Answers[K]> {
    const id = ++this.calls;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.restart('The engine did not answer and was started again.'), patience);
      this.waiting.set(id, { resolve: resolve as (answer: never) => void, reject, timer });
      const { worker } = this,
        request = JSON.stringify({ do: what, ...more });
      this.begun.then(() => worker.postMessage({ id, request }), reject);
    });
  }
}
