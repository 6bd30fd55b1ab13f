// What drawing something writes into the text. Knows the model format, not the pointer.
import { lengthIn, lengthUnit } from './quantities';
import { Edit, ModelElement } from './protocol';
import { gridStep, Snap } from './snapping';
import type { Studio } from './studio';
import { Point } from './view';

const massPerLength = 0.4; // kg/m: a steel bar of 10 mm by 5 mm
// Three digits, small numbers with an exponent.
const digits = (value: number) => (Math.abs(value) < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(3))));
const text = (word: string) => JSON.stringify(word);

export class Drawing {
  readonly edits: Edit[] = [];
  private readonly names: Set<string>;
  private readonly unit: string;
  private readonly step: number;
  private hasGround: boolean;

  constructor(private readonly studio: Studio) {
    this.names = new Set(studio.elements.map((e) => e.path));
    for (const p of studio.last?.points ?? []) this.names.add(`body.${p.body}.points.${p.name}`);
    this.unit = lengthUnit(studio.elements);
    this.step = gridStep(studio.panel.view.pixelsPerMetre) / 100;
    this.hasGround = this.names.has('body.ground');
  }

  private fresh(section: string, stem: string): string {
    for (let i = 1; ; ++i) {
      const path = `${section}.${stem}${i}`;
      if (this.names.has(path)) continue;
      this.names.add(path);
      return `${stem}${i}`;
    }
  }
  private freshPoint(body: string): string {
    for (const letter of 'ABCDEFGHJKLMNOPQRSTUVWXYZ') {
      const path = `body.${body}.points.${letter}`;
      if (this.names.has(path)) continue;
      this.names.add(path);
      return letter;
    }
    return this.fresh(`body.${body}.points`, 'P');
  }
  private length(value: number): string {
    return lengthIn(value, this.unit, this.step);
  }
  private vector(p: Point): string {
    return `[${this.length(p.x)}, ${this.length(p.y)}]`;
  }
  insert(path: string, values: [string, string][]): void {
    this.edits.push({ kind: 'insert', path, values });
  }

  // A point on a body that is there, at a place of the ground.
  addPoint(body: string, at: Point): string {
    const name = this.freshPoint(body),
      place = this.vector(this.studio.panel.bodyPlace(Math.max(0, this.studio.panel.bodyIndex(body)), at));
    if (body === 'ground' && !this.hasGround) {
      this.hasGround = true;
      this.insert('body.ground', [['points', `{ ${name} = ${place} }`]]);
    } else this.edits.push({ kind: 'set', path: `body.${body}.points.${name}`, value: place });
    return name;
  }
  // "crank.B": the point that was met, or a new one on the body under the pointer, or on ground.
  placeOf(end: Snap): string {
    if (end.point) return `${end.point.body}.${end.point.name}`;
    const body = end.body ?? 'ground';
    return `${body}.${this.addPoint(body, end.at)}`;
  }

  link(a: Snap, b: Snap): string {
    const name = this.fresh('body', 'link'),
      dx = b.at.x - a.at.x,
      dy = b.at.y - a.at.y;
    const length = Math.hypot(dx, dy),
      mass = massPerLength * length;
    this.insert(`body.${name}`, [
      ['position', this.vector(a.at)],
      ['angle', text(`${Number(((Math.atan2(dy, dx) * 180) / Math.PI).toFixed(3))} deg`)],
      ['points', `{ A = [0, 0], B = [${this.length(length)}, 0] }`],
      ['mass', text(`${digits(mass)} kg`)],
      ['inertia', text(`${digits((mass * length * length) / 12)} kg m^2`)],
      ['centre', `[${this.length(length / 2)}, 0]`],
    ]);
    for (const [end, point] of [[a, 'A'], [b, 'B']] as const) if (end.point) this.pin(`${end.point.body}.${end.point.name}`, `${name}.${point}`);
    return `body.${name}`;
  }
  pin(a: string, b: string): string {
    const name = this.fresh('joint', 'pin');
    this.insert(`joint.${name}`, [['type', text('revolute')], ['a', text(a)], ['b', text(b)]]);
    return `joint.${name}`;
  }
  // To ground: the point of a body that was met, a new one on the body, or a point of ground alone.
  support(at: Snap): string {
    const body = at.point?.body ?? at.body;
    const ground = `ground.${this.addPoint('ground', at.at)}`;
    return body === undefined || body === 'ground' ? 'body.ground' : this.pin(ground, this.placeOf({ ...at, body }));
  }
  guide(at: Snap, towards: Point): string {
    const name = this.fresh('joint', 'guide'),
      angle = (Math.atan2(towards.y - at.at.y, towards.x - at.at.x) * 180) / Math.PI;
    const ground = `ground.${this.addPoint('ground', at.at)}`;
    this.insert(`joint.${name}`, [['type', text('slot')], ['a', text(ground)], ['b', text(this.placeOf(at))], ['axis', text(`${Number(angle.toFixed(2))} deg`)]]);
    return `joint.${name}`;
  }
  motor(joint: ModelElement): string {
    const name = this.fresh('driver', 'motor');
    this.insert(`driver.${name}`, [['type', text('speed')], ['joint', text(joint.name)], ['speed', text('180 deg/s')]]);
    return `driver.${name}`;
  }
  spring(a: Snap, b: Snap): string {
    const name = this.fresh('force', 'spring');
    const ends = [this.placeOf(a), this.placeOf(b)];
    this.insert(`force.${name}`, [['type', text('spring')], ['a', text(ends[0])], ['b', text(ends[1])], ['stiffness', text('100 N/m')]]);
    return `force.${name}`;
  }
  // Weight for all, and a mass for the body if it has none; weight asks for dynamics.
  weight(body: string): string {
    const element = this.studio.element(`body.${body}`);
    if (body !== 'ground' && element && !element.fields?.some((f) => f.key === 'mass')) {
      this.edits.push({ kind: 'set', path: `body.${body}.inertia`, value: text('1e-4 kg m^2') });
      this.edits.push({ kind: 'set', path: `body.${body}.mass`, value: text('0.1 kg') });
    }
    if (!this.studio.elements.some((e) => e.section === 'force' && e.type === 'gravity')) {
      this.insert('force.' + this.fresh('force', 'weight'), [['type', text('gravity')]]);
      this.edits.push({ kind: 'set', path: 'run.analysis', value: text('dynamics') });
    }
    return `body.${body}`;
  }
  // A closed chain of lines with its material inside, on the body where it begins or on ground.
  polygon(corners: Point[], body = 'ground'): string {
    let area = 0;
    corners.forEach((p, i) => {
      const q = corners[(i + 1) % corners.length];
      area += p.x * q.y - q.x * p.y;
    });
    const { panel } = this.studio,
      index = Math.max(0, panel.bodyIndex(body));
    const around = (area > 0 ? corners : [...corners].reverse()).map((p) => this.vector(panel.bodyPlace(index, p)));
    const lines = around.map((p, i) => `    { type = "line", ${i === 0 ? `from = ${p}, ` : ''}to = ${around[(i + 1) % around.length]} },`);
    return this.profile(body, `[\n${lines.join('\n')}\n]`);
  }
  // On a body; on ground it is a new disc that moves.
  circle(centre: Snap, radius: number): string {
    const { panel } = this.studio;
    if (centre.body !== undefined && centre.body !== 'ground')
      return this.profile(centre.body, `[{ type = "circle", centre = ${this.vector(panel.bodyPlace(panel.bodyIndex(centre.body), centre.at))}, radius = ${this.length(radius)} }]`);
    const name = this.fresh('body', 'disc'),
      mass = massPerLength * 2 * radius;
    this.insert(`body.${name}`, [
      ['position', this.vector(centre.at)],
      ['points', '{ A = [0, 0] }'],
      ['mass', text(`${digits(mass)} kg`)],
      ['inertia', text(`${digits((mass * radius * radius) / 2)} kg m^2`)],
    ]);
    if (centre.point) this.pin(`${centre.point.body}.${centre.point.name}`, `${name}.A`);
    this.profile(name, `[{ type = "circle", radius = ${this.length(radius)} }]`);
    return `body.${name}`;
  }
  private profile(body: string, elements: string): string {
    const name = this.fresh('profile', 'shape');
    this.insert(`profile.${name}`, [['body', text(body)], ['elements', elements]]);
    return `profile.${name}`;
  }
  contact(a: ModelElement, b: ModelElement): string {
    const name = this.fresh('contact', 'contact');
    this.insert(`contact.${name}`, [['a', text(a.name)], ['b', text(b.name)]]);
    return `contact.${name}`;
  }
}
