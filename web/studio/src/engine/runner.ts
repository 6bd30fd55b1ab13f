// A dynamic run in slices: it starts, pauses, goes on, steps to the next event, takes other values of
// parameters on the way, and hands over what is known of the motion.
import { EngineClient } from './engine_client';
import { Advance, Motion, Outcome, Problem } from './protocol';

export type RunState = 'none' | 'running' | 'paused';

const slice = 40; // ms
const shareOfSnapshots = 0.25; // of the time of the worker

export class Runner {
  state: RunState = 'none';
  time = 0;
  end = 0;
  stiff = false; // steps are short because the page has no stiff integrator
  private ticket = 0; // of the loop under way
  private ending = false; // the engine makes the result
  onState: () => void = () => {};
  onMotion: (motion: Motion, time: number) => void = () => {};
  onEnd: (outcome: Outcome) => void = () => {};

  constructor(private readonly engine: EngineClient) {}

  async start(): Promise<void> {
    const begun = await this.engine.call('begin');
    this.end = begun.end;
    this.time = 0;
    this.stiff = false;
    await this.loop();
  }
  // The slice under way ends first: the motion is shown up to where it has come.
  async pause(): Promise<void> {
    if (this.state !== 'running' || this.ending) return;
    const ticket = ++this.ticket;
    this.setState('paused');
    await this.snapshot(ticket).catch((problem: Error) => {
      if (ticket === this.ticket) throw problem; // else the run was given up
    });
  }
  async goOn(): Promise<void> {
    if (this.state === 'paused') await this.loop();
  }
  async stepToEvent(): Promise<void> {
    if (this.state !== 'paused') return;
    const ticket = ++this.ticket;
    for (;;) {
      const now = await this.engine.call('advance', { milliseconds: slice, to_event: true });
      if (ticket !== this.ticket) return;
      this.time = now.time;
      if (now.over) return this.stop();
      if (now.event) break;
    }
    await this.snapshot(ticket);
    this.onState();
  }
  async set(name: string, value: string): Promise<Problem[]> {
    const answer = await this.engine.call('set', { name, value });
    return answer.problems;
  }
  // What was computed becomes the result.
  async stop(): Promise<void> {
    if (this.ending) return;
    const ticket = ++this.ticket;
    this.ending = true;
    try {
      const outcome = await this.engine.call('finish');
      if (ticket !== this.ticket) return; // given up meanwhile
      this.setState('none');
      this.onEnd(outcome);
    } finally {
      this.ending = false;
    }
  }
  // The run is given up, for example because the model has changed.
  drop(): void {
    if (this.state === 'none') return;
    ++this.ticket;
    this.setState('none');
  }

  private setState(state: RunState): void {
    this.state = state;
    this.onState();
  }
  private async loop(): Promise<void> {
    const ticket = ++this.ticket;
    this.setState('running');
    let cost = 0, // ms, of the last snapshot
      spent = Infinity; // since then
    for (;;) {
      const begun = performance.now();
      const now: Advance = await this.engine.call('advance', { milliseconds: slice });
      if (ticket !== this.ticket) return;
      this.time = now.time;
      this.stiff = now.stiff;
      if (now.over) return this.stop();
      spent += performance.now() - begun;
      if (spent * shareOfSnapshots > cost) {
        const before = performance.now();
        await this.snapshot(ticket);
        if (ticket !== this.ticket) return;
        cost = performance.now() - before;
        spent = 0;
      } else this.onState();
    }
  }
  private async snapshot(ticket: number): Promise<void> {
    const { motion, time } = await this.engine.call('snapshot');
    if (ticket !== this.ticket) return;
    this.time = time;
    this.onState();
    this.onMotion(motion, time);
  }
}
