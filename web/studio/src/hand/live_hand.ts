// Pulling with the clock running: the model moves in real time by its own forces, and a spring joins
// the place of a body that was taken to the pointer. The spring is part of a copy of the model: at
// each body a force and a torque by inputs, which the pointer sets. The text stays as it is.
import { svgElement } from '../../../stage/stage';
import { Point } from '../../../stage/view';
import { Edit, ModelElement } from '../engine/protocol';
import { byId } from '../page/dom';
import { Gesture, Hand } from '../panels/stage_panel';
import type { Studio } from '../studio';
import { editedText } from './previewing';

const usualMass = 0.1, // kg, where a body says none in plain words
  frequency = 2.5, // Hz, of a body on the spring
  damping = 0.7, // of the critical one
  slice = 14, // ms
  longest = 1000; // s, of a run

// The copy: measures of the place of each body, and what pulls at it. All in SI.
export function textWithHand(text: string, bodies: string[]): string {
  const inputs = ['hand_x = "0 m"', 'hand_y = "0 m"', 'hand_px = "0 m"', 'hand_py = "0 m"', ...bodies.flatMap((_, i) => [`hand_k${i} = "0 N/m"`, `hand_c${i} = "0 N s/m"`])].join('\n');
  const head = /^\[inputs\][^\n]*\n/m.exec(text);
  const begun = head ? text.slice(0, head.index + head[0].length) + inputs + '\n' + text.slice(head.index + head[0].length) : `${text}\n[inputs]\n${inputs}\n`;
  return begun + bodies.map((body, i) => pull(JSON.stringify(body), i)).join('');
}
function pull(body: string, i: number): string {
  const at = `hand_at${i}`,
    turn = `hand_turn${i}`;
  const rx = `(hand_px*cos(${turn}) - hand_py*sin(${turn}))`,
    ry = `(hand_px*sin(${turn}) + hand_py*cos(${turn}))`;
  const x = `(hand_k${i}*(hand_x - ${at}.x - ${rx}) - hand_c${i}*(${at}.x.rate - ${turn}.rate*${ry}))`,
    y = `(hand_k${i}*(hand_y - ${at}.y - ${ry}) - hand_c${i}*(${at}.y.rate + ${turn}.rate*${rx}))`;
  return `
[measure.${at}]
type = "point"
point = ${body}
[measure.${turn}]
type = "angle"
a = "ground"
b = ${body}
[force.hand_force${i}]
type = "force"
point = ${body}
x = "${x}"
y = "${y}"
[force.hand_torque${i}]
type = "torque"
body = ${body}
value = "${rx}*${y} - ${ry}*${x}"
`;
}

export class LiveHand implements Hand {
  private held?: { index: number; place: Point; target: Point; fresh: boolean };
  private released = -1;
  private ticket = 0;
  private time = 0;
  running = false;

  constructor(private readonly studio: Studio) {}

  async start(): Promise<void> {
    const { studio } = this,
      { engine, panel } = studio;
    const bodies = (studio.last?.motion?.about.bodies ?? []).map((b) => b.name),
      ticket = ++this.ticket;
    const edits: Edit[] = [['end', `"${longest} s"`], ['step', '"50 ms"'], ['analysis', '"dynamics"']].map(([key, value]) => ({ kind: 'set' as const, path: 'run.' + key, value }));
    const read = await engine.call('read', { text: textWithHand(await editedText(studio, edits), bodies) });
    if (ticket !== this.ticket) return;
    const problem = read.problems.find((p) => p.severity === 'error');
    if (problem || !read.assembled) return this.fail(problem?.message ?? read.message ?? 'It cannot be assembled.');
    const begun = await engine.call('begin');
    if (begun.message) return this.fail(begun.message);
    this.running = true;
    this.time = 0;
    this.held = undefined;
    panel.hand = this;
    panel.setDrawing(() => this.spring());
    byId('hint').textContent = 'The clock runs: pull at a body.';
    byId('hint').hidden = false;
    studio.liveChanged();
    void this.loop(ticket, bodies.length);
  }
  private fail(reason: string): void {
    this.studio.setState('bad', reason);
    this.stop();
  }
  stop(): void {
    ++this.ticket;
    this.running = false;
    byId('hint').hidden = true;
    this.studio.panel.setDrawing(() => []);
    this.studio.liveChanged();
    void this.studio.read(true); // the engine has the copy
  }

  private async loop(ticket: number, count: number): Promise<void> {
    const { engine, panel } = this.studio;
    try {
      for (let last = performance.now(), wanted = 0; ticket === this.ticket; ) {
        await new Promise((frame) => requestAnimationFrame(frame));
        const now = performance.now();
        // A machine that cannot keep up shows it slower, not in jumps.
        wanted = Math.min(wanted + (now - last) / 1000, this.time + 0.05);
        last = now;
        await this.sendPointer();
        const answer = await engine.call('advance', { milliseconds: slice, until: wanted, measures: true });
        if (ticket !== this.ticket) return;
        this.time = Math.min(answer.time, wanted);
        const m = answer.measures ?? {};
        if (`hand_turn${count - 1}` in m) panel.stage?.placeBodies(Array.from({ length: count }, (_, i) => ({ x: m[`hand_at${i}.x`], y: m[`hand_at${i}.y`], angle: m[`hand_turn${i}`] })));
        panel.view.keepUp();
        panel.redraw();
        this.studio.setState('busy', `Live: t = ${this.time.toFixed(2)} s`);
        if (answer.over) return this.fail(answer.message || 'The run is over.');
      }
    } catch (problem) {
      if (ticket === this.ticket) this.fail((problem as Error).message);
    }
  }
  private async sendPointer(): Promise<void> {
    const { engine } = this.studio,
      set = (name: string, value: string) => engine.call('set', { name, value });
    if (this.released >= 0) {
      await set(`hand_k${this.released}`, '0 N/m');
      await set(`hand_c${this.released}`, '0 N s/m');
      this.released = -1;
    }
    if (!this.held) return;
    const { index, place, target, fresh } = this.held;
    this.held.fresh = false;
    await set('hand_x', `${target.x} m`);
    await set('hand_y', `${target.y} m`);
    if (!fresh) return;
    const mass = this.massAt(index),
      w = 2 * Math.PI * frequency;
    await set('hand_px', `${place.x} m`);
    await set('hand_py', `${place.y} m`);
    await set(`hand_k${index}`, `${mass * w * w} N/m`);
    await set(`hand_c${index}`, `${2 * damping * mass * w} N s/m`);
  }
  // Enough to move the body and a part of what is joined to it.
  private massAt(index: number): number {
    const masses = (this.studio.last?.motion?.about.bodies ?? []).map((b) => massOf(this.studio.element('body.' + b.name)));
    return Math.max(masses[index], 0.3 * masses.reduce((sum, m) => sum + m, 0));
  }

  down(g: Gesture): boolean {
    if (!g.body || g.body === 'ground') return false;
    const { panel } = this.studio,
      body = panel.bodyIndex(g.body);
    this.held = { index: body - 1, place: panel.bodyPlace(body, g.at), target: g.at, fresh: true };
    return true;
  }
  move(g: Gesture): void {
    if (this.held) this.held.target = g.at;
  }
  up(): void {
    if (this.held) this.released = this.held.index;
    this.held = undefined;
  }
  hover(): void {}

  private spring(): SVGElement[] {
    if (!this.held) return [];
    const { panel } = this.studio,
      { index, place, target } = this.held;
    const a = panel.view.toScreen(panel.groundPlace(index + 1, place.x, place.y)),
      b = panel.view.toScreen(target);
    return [svgElement('line', { class: 'rubber', x1: a.x, y1: a.y, x2: b.x, y2: b.y }), svgElement('circle', { class: 'snap', cx: a.x, cy: a.y, r: 4 })];
  }
}

function massOf(body: ModelElement | undefined): number {
  const mass = /^"?([\d.]+(?:e[-+]?\d+)?)\s*(kg|g)?"?$/.exec(body?.fields?.find((f) => f.key === 'mass')?.source ?? '');
  return mass ? Number(mass[1]) * (mass[2] === 'g' ? 1e-3 : 1) : usualMass;
}
