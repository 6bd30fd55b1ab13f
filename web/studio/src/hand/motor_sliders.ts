// Motors by hand: in Move each driver has a slider, and the mechanism follows it as far as it can. A
// copy of the model is driven from its start to there at a constant speed, so no assembly mode is
// jumped over; the text stays as it is.
import { Data } from '../../../stage/data';
import { Edit, ModelElement, PullAnswer } from '../engine/protocol';
import { byId, make } from '../page/dom';
import type { Studio } from '../studio';
import { editedText } from './previewing';

const widest = { rad: 2 * Math.PI, m: 0.5 }; // rad; of the width that is seen

export class MotorSliders {
  used = false; // the engine holds the copy
  private readonly values = new Map<string, number>(); // rad or m, by the names of drivers
  private start: PullAnswer['poses'] = []; // before anything was moved
  private busy = false;
  private wanted = 0;
  onPoses: (poses: PullAnswer['poses'], message: string) => void = () => {};

  constructor(private readonly studio: Studio) {}

  show(on: boolean): void {
    const drivers = on ? this.drivers() : [];
    this.values.clear();
    if (!on) this.start = [];
    else if (this.start.length === 0)
      this.start = this.studio.panel.allBodies.map((_, i) => {
        const { x, y, angle } = this.studio.panel.stage!.poseOf(i + 1);
        return [x, y, angle];
      });
    byId('motors').hidden = drivers.length === 0;
    byId('motors').replaceChildren(...drivers.map((d) => this.slider(d)));
  }
  private drivers(): ModelElement[] {
    return this.studio.elements.filter((e) => e.section === 'driver');
  }
  private unitOf(driver: ModelElement): 'rad' | 'm' {
    const joint = this.studio.element('joint.' + driver.fields?.find((f) => f.key === 'joint')?.text),
      of = driver.fields?.find((f) => f.key === 'of')?.text;
    return joint?.type === 'prismatic' || joint?.type === 'slot' || joint?.type === 'x' || joint?.type === 'y' || of === 'x' || of === 'y' ? 'm' : 'rad';
  }
  private slider(driver: ModelElement): HTMLElement {
    const unit = this.unitOf(driver),
      most = unit === 'rad' ? widest.rad : widest.m * this.studio.panel.view.seen().width;
    const range = make('input', { type: 'range', min: String(-most), max: String(most), step: String(most / 180), value: '0', 'aria-label': driver.name, 'data-driver': driver.name }),
      out = make('output', {}, textOf(0, unit));
    range.addEventListener('input', () => {
      const value = Number(range.value);
      this.values.set(driver.name, value);
      out.textContent = textOf(value, unit);
      ++this.wanted;
      void this.follow();
    });
    return make('label', {}, driver.name, range, out);
  }

  // After a body was pulled: motors of pins show how far these have turned.
  showPoses(poses: PullAnswer['poses']): void {
    for (const driver of this.drivers()) {
      const range = byId('motors').querySelector<HTMLInputElement>(`[data-driver=${CSS.escape(driver.name)}]`),
        turned = this.turned(driver, poses);
      if (!range || turned === undefined) continue;
      range.value = String(turned);
      this.values.set(driver.name, turned);
      range.nextElementSibling!.textContent = textOf(turned, 'rad');
    }
  }
  // The angle of the second body of the driven pin beside the first one, since the start.
  private turned(driver: ModelElement, poses: PullAnswer['poses']): number | undefined {
    const joint = this.studio.element('joint.' + driver.fields?.find((f) => f.key === 'joint')?.text);
    if (joint?.type !== 'revolute') return undefined;
    const [a, b] = ['a', 'b'].map((side) => {
      const body = this.studio.panel.bodyIndex((joint.fields?.find((f) => f.key === side)?.text ?? '').split('.')[0]);
      return body > 0 ? poses[body - 1][2] - this.start[body - 1][2] : body === 0 ? 0 : NaN;
    });
    return Number.isFinite(b - a) ? b - a : undefined;
  }

  // One request at a time; the newest position wins.
  private async follow(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const { engine } = this.studio;
    try {
      for (let done = -1; done !== this.wanted; ) {
        done = this.wanted;
        const edits: Edit[] = this.drivers().flatMap((d) => this.driven(d));
        edits.push({ kind: 'set', path: 'run.end', value: '"1 s"' }, { kind: 'set', path: 'run.step', value: '"20 ms"' }, { kind: 'set', path: 'run.analysis', value: '"kinematics"' });
        const read = await engine.call('read', { text: await editedText(this.studio, edits), live: ['kinematics'] });
        this.used = true;
        if (!read.motion) continue;
        const { about, blocks } = read.motion,
          data = new Data(about, (i) => blocks[i]),
          row = data.time.length - 1;
        const poses = about.bodies.map((b): [number, number, number] => [data.at(b.x, row), data.at(b.y, row), data.at(b.angle, row)]);
        this.onPoses(poses, read.outcome?.complete === false ? read.outcome.message.replace(/ at t = \S+ s\b/, '') : '');
      }
    } catch (problem) {
      this.studio.setState('bad', (problem as Error).message);
    } finally {
      this.busy = false;
    }
  }
  // The driver at the speed that brings it to its slider in one second.
  private driven(driver: ModelElement): Edit[] {
    const kept = (driver.fields ?? []).filter((f) => f.key === 'joint' || f.key === 'of').map((f): [string, string] => [f.key, JSON.stringify(f.text ?? '')]);
    const speed = `${this.values.get(driver.name) ?? 0} ${this.unitOf(driver)}/s`;
    return [
      { kind: 'remove', path: driver.path },
      { kind: 'insert', path: driver.path, values: [['type', '"speed"'], ...kept, ['speed', JSON.stringify(speed)]] },
    ];
  }
}

const textOf = (value: number, unit: 'rad' | 'm') => (unit === 'rad' ? `${Math.round((value * 180) / Math.PI)}°` : `${(1000 * value).toFixed(1)} mm`);
