// What each analysis still needs, with a click that leads there; and the choice of the analysis.
import { ReadAnswer } from '../engine/protocol';
import { hasMass } from '../hand/quantities';
import { byId, connectMenu, make } from '../page/dom';
import type { Studio } from '../studio';

const titles: Record<string, string> = {
  kinematics: 'Kinematics: positions, velocities and accelerations as the motors drive them',
  inverse: 'Inverse dynamics: the forces that the motors need',
  statics: 'Statics: where forces balance',
  dynamics: 'Dynamics: how it moves by its forces and impacts',
  check: 'Check: degrees of freedom, and what is likely a mistake',
};

export interface Lack {
  text: string;
  path?: string; // of the element that lacks it
  tool?: string; // that mends it
}

export function lacksOf(analysis: string, read: ReadAnswer | undefined): Lack[] {
  const elements = read?.elements ?? [],
    bodies = elements.filter((e) => e.section === 'body' && e.name !== 'ground');
  if (!read?.motion) return [{ text: 'The text has an error.' }];
  if (bodies.length === 0) return [{ text: 'There is no body yet: draw a link.', tool: 'link' }];
  if (!read.assembled) return [{ text: 'The parts do not fit together.' }];
  const out: Lack[] = [];
  const drivers = elements.filter((e) => e.section === 'driver').length,
    free = (read.freedom?.degrees ?? 0) - drivers;
  if ((analysis === 'kinematics' || analysis === 'inverse') && free > 0) out.push({ text: `${free} degree${free === 1 ? '' : 's'} of freedom without a motor.`, tool: 'motor' });
  if (analysis === 'dynamics' || analysis === 'inverse')
    for (const body of bodies) if (!hasMass(body, elements)) out.push({ text: `${body.name} has no mass.`, path: body.path });
  if (analysis === 'statics' && !elements.some((e) => e.section === 'force') && drivers === 0) out.push({ text: 'There is no force: give it a weight or a spring.', tool: 'weight' });
  return out;
}

export class Readiness {
  constructor(private readonly studio: Studio) {
    connectMenu('analyses', () => this.draw());
  }
  private close(): void {
    byId<HTMLDetailsElement>('analyses').open = false;
  }
  private draw(): void {
    const { studio } = this,
      now = studio.last?.run?.analysis;
    byId('analysis-list').replaceChildren(
      ...Object.entries(titles).map(([name, title]) => {
        const lacks = lacksOf(name, studio.last);
        const button = make('button', { type: 'button', class: 'analysis', 'data-analysis': name, 'aria-pressed': String(name === now) }, make('b', {}, title.split(':')[0]), title.slice(title.indexOf(':') + 1));
        button.addEventListener('click', () => {
          this.close();
          void studio.choose(name);
        });
        return make('div', {}, button, ...lacks.slice(0, 6).map((lack) => this.lack(lack)));
      }),
    );
  }
  private lack(lack: Lack): HTMLElement {
    const button = make('button', { type: 'button', class: 'lack' }, lack.text);
    button.addEventListener('click', () => {
      this.close();
      if (lack.path) this.studio.select(lack.path);
      else if (lack.tool) this.studio.tools.start(lack.tool);
    });
    return button;
  }
}
