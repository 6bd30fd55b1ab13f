// What drawing something writes into the text. Knows the model format, not the pointer.
import { hasMass, lengthIn, lengthOf, lengthUnit } from './quantities';
import { Edit, ModelElement } from '../engine/protocol';
import { gridStep, Snap } from './snapping';
import type { Studio } from '../studio';
import { Point } from '../../../stage/view';

// Positive where places run counter-clockwise.
function signedArea(places: Point[]): number {
  return places.reduce((sum, p, i) => {
    const q = places[(i + 1) % places.length];
    return sum + p.x * q.y - q.x * p.y;
  }, 0);
}

// The middle of the area that places enclose; of fewer than three that of their coordinates.
function middle(places: Point[]): Point {
  const area = signedArea(places),
    mean = { x: places.reduce((sum, p) => sum + p.x, 0) / places.length, y: places.reduce((sum, p) => sum + p.y, 0) / places.length };
  if (places.length < 3 || Math.abs(area) === 0) return mean;
  const out = { x: 0, y: 0 };
  places.forEach((p, i) => {
    const q = places[(i + 1) % places.length],
      part = p.x * q.y - q.x * p.y;
    out.x += (part * (p.x + q.x)) / (3 * area);
    out.y += (part * (p.y + q.y)) / (3 * area);
  });
  return out;
}

interface Carrier {
  body: string;
  isNew: boolean;
  place: (p: Point) => Point; // in its axes
}

const massPerLength = 0.4; // kg/m: a steel bar of 10 mm by 5 mm
// Three digits, small numbers with an exponent.
const digits = (value: number) => (Math.abs(value) < 1e-3 ? Number(value.toExponential(2)).toExponential() : String(Number(value.toPrecision(3))));
const text = (word: string) => JSON.stringify(word);
const plate: [string, string][] = [['thickness', text('5 mm')], ['density', text('7850 kg/m^3')]]; // of steel

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
    this.step = gridStep(studio) / 100;
    this.hasGround = this.names.has('body.ground');
  }

  fresh(section: string, stem: string): string {
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
  vector(p: Point): string {
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
    for (const [end, point] of [[a, 'A'], [b, 'B']] as const) this.join(end, `${name}.${point}`);
    return `body.${name}`;
  }
  // What the drop of a point means: in a guide it slides, on a point or a body it is pinned.
  join(on: Snap, place: string): void {
    const field = (key: string) => on.guide?.fields?.find((f) => f.key === key),
      axis = field('axis')?.source;
    if (on.guide) this.insert(`joint.${this.fresh('joint', 'slot')}`, [['type', text('slot')], ['a', field('a')!.source!], ['b', text(place)], ...(axis === undefined ? [] : [['axis', axis] as [string, string]])]);
    else if (on.point || (on.body !== undefined && on.body !== 'ground')) this.pin(this.placeOf(on), place);
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
  // A slot on the body under its first end, or on ground, in which a point slides.
  slot(point: Snap, from: Snap, to: Point): string {
    const sliding = this.placeOf(point),
      own = sliding.slice(0, sliding.indexOf('.')),
      carrier = from.body !== undefined && from.body !== own ? from.body : 'ground';
    const index = Math.max(0, this.studio.panel.bodyIndex(carrier)),
      a = this.studio.panel.bodyPlace(index, from.at),
      b = this.studio.panel.bodyPlace(index, to);
    const name = this.fresh('joint', 'slot'),
      angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
    this.insert(`joint.${name}`, [['type', text('slot')], ['a', text(`${carrier}.${this.addPoint(carrier, from.at)}`)], ['b', text(sliding)], ['axis', text(`${Number(angle.toFixed(2))} deg`)]]);
    return `joint.${name}`;
  }
  // Two gears about points of two bodies that meet at a place; beyond one of the centres the larger
  // one is hollow.
  gear(a: Snap, b: Snap, meet: Point): string {
    const distance = Math.hypot(b.at.x - a.at.x, b.at.y - a.at.y),
      along = ((meet.x - a.at.x) * (b.at.x - a.at.x) + (meet.y - a.at.y) * (b.at.y - a.at.y)) / distance;
    const ra = Math.max(Math.abs(along), 0.02 * distance),
      rb = Math.max(Math.abs(distance - along), 0.02 * distance),
      name = this.fresh('joint', 'gear');
    this.insert(`joint.${name}`, [
      ['type', text('gear')],
      ['a', text(this.placeOf(a))],
      ['b', text(this.placeOf(b))],
      ['radius_a', this.length(ra)],
      ['radius_b', this.length(along > 0 && along < distance ? distance - Number(this.metres(ra)) : rb)],
      ...(along > 0 && along < distance ? [] : [['internal', 'true'] as [string, string]]),
    ]);
    return `joint.${name}`;
  }
  // A pinion about a point, and a rack whose pitch line passes through a place of another body.
  rack(centre: Snap, on: Snap): string {
    const body = on.body ?? 'ground',
      index = Math.max(0, this.studio.panel.bodyIndex(body)),
      c = this.studio.panel.bodyPlace(index, centre.at),
      p = this.studio.panel.bodyPlace(index, on.at);
    // The line is at a right angle to that from the centre; the centre is on its left.
    const angle = Math.atan2(c.y - p.y, c.x - p.x) - Math.PI / 2,
      name = this.fresh('joint', 'rack');
    this.insert(`joint.${name}`, [
      ['type', text('rack')],
      ['a', text(this.placeOf(centre))],
      ['b', text(this.placeOf({ ...on, body }))],
      ['radius', this.length(Math.hypot(c.x - p.x, c.y - p.y))],
      ['axis', text(`${Number(((angle * 180) / Math.PI).toFixed(3))} deg`)],
    ]);
    return `joint.${name}`;
  }
  damper(a: Snap, b: Snap): string {
    const name = this.fresh('force', 'damper'),
      ends = [this.placeOf(a), this.placeOf(b)];
    this.insert(`force.${name}`, [['type', text('spring')], ['a', text(ends[0])], ['b', text(ends[1])], ['damping', text('1 N s/m')]]);
    return `force.${name}`;
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
    if (body !== 'ground' && element && !hasMass(element, this.studio.elements)) {
      this.edits.push({ kind: 'set', path: `body.${body}.inertia`, value: text('1e-4 kg m^2') });
      this.edits.push({ kind: 'set', path: `body.${body}.mass`, value: text('0.1 kg') });
    }
    if (!this.studio.elements.some((e) => e.section === 'force' && e.type === 'gravity')) {
      this.insert('force.' + this.fresh('force', 'weight'), [['type', text('gravity')]]);
      this.edits.push({ kind: 'set', path: 'run.analysis', value: text('dynamics') });
    }
    return `body.${body}`;
  }
  // A length as it is written, m.
  private metres(value: number): number {
    return lengthOf(this.length(value), this.unit);
  }
  // A smooth closed curve through places, with its material inside.
  spline(places: Snap[], onGround: boolean): string {
    const on = this.carrier(places[0], places.map((p) => p.at), onGround);
    const inside = places.map((p) => on.place(p.at)),
      around = (signedArea(inside) > 0 ? inside : inside.reverse()).map((p) => this.vector(p));
    return this.shape(on, `[\n    { type = "spline", ends = "periodic", points = [${[...around, around[0]].join(', ')}] },\n]`);
  }
  // A closed chain of lines and arcs with its material inside. A place with `via` is passed by the arc
  // from the place before to the one after it.
  chain(places: (Snap & { via?: boolean })[], onGround: boolean): string {
    const on = this.carrier(places[0], places.map((p) => p.at), onGround);
    const inside = places.map((p) => {
      const place = on.place(p.at);
      return { x: this.metres(place.x), y: this.metres(place.y), via: p.via };
    });
    const forward = signedArea(inside) > 0,
      list = forward ? inside : [inside[0], ...inside.slice(1).reverse()];
    const lines: string[] = [];
    for (let i = 0; i < list.length; ++i) {
      const from = list[i],
        via = list[(i + 1) % list.length],
        to = via.via ? list[(i + 2) % list.length] : via;
      const arc = via.via ? this.arc(from, via, to) : undefined;
      if (via.via) ++i;
      lines.push(arc ?? `    { type = "line", ${lines.length === 0 ? `from = ${this.vector(from)}, ` : ''}to = ${this.vector(to)} },`);
    }
    return this.shape(on, `[\n${lines.join('\n')}\n]`);
  }
  // The arc from a to c by way of b; nothing where they lie on a line.
  private arc(a: Point, b: Point, c: Point): string | undefined {
    const d = 2 * (a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y)),
      size = Math.hypot(c.x - a.x, c.y - a.y);
    if (Math.abs(d) < 1e-4 * size * size) return undefined;
    const [p, q, r] = [a, b, c].map((v) => v.x * v.x + v.y * v.y);
    const x = (p * (b.y - c.y) + q * (c.y - a.y) + r * (a.y - b.y)) / d,
      y = (p * (c.x - b.x) + q * (a.x - c.x) + r * (b.x - a.x)) / d;
    const angle = (v: Point) => Math.atan2(v.y - y, v.x - x),
      turn = 2 * Math.PI,
      from = angle(a);
    const after = (v: Point) => (((angle(v) - from) % turn) + turn) % turn; // counter-clockwise from a
    const to = after(b) < after(c) ? from + after(c) : from + after(c) - turn;
    const exact = (v: number) => Number(v.toPrecision(12)),
      size1 = lengthOf('1', this.unit);
    const degrees = (v: number) => text(`${exact((v * 180) / Math.PI)} deg`);
    return `    { type = "arc", centre = [${exact(x / size1)}, ${exact(y / size1)}], radius = ${exact(Math.hypot(a.x - x, a.y - y) / size1)}, from = ${degrees(from)}, to = ${degrees(to)} },`;
  }
  circle(centre: Snap, radius: number, onGround: boolean): string {
    const on = this.carrier(centre, [centre.at], onGround, 'disc'),
      at = on.place(centre.at);
    const made = this.shape(on, `[{ type = "circle", ${at.x === 0 && at.y === 0 ? '' : `centre = ${this.vector(at)}, `}radius = ${this.length(radius)} }]`);
    if (on.isNew && centre.point) this.pin(`${centre.point.body}.${centre.point.name}`, `${on.body}.A`);
    return made;
  }
  // What a shape belongs to: the body where it begins; on empty ground a new body about its middle, or
  // ground itself where that is wanted.
  private carrier(first: Snap, places: Point[], onGround: boolean, stem = 'plate'): Carrier {
    const { panel } = this.studio,
      isBody = first.body !== undefined && first.body !== 'ground';
    if (isBody || onGround) {
      const body = isBody ? first.body! : 'ground',
        index = Math.max(0, panel.bodyIndex(body));
      return { body, isNew: false, place: (p) => panel.bodyPlace(index, p) };
    }
    const body = this.fresh('body', stem),
      about = middle(places),
      origin = { x: this.metres(about.x), y: this.metres(about.y) };
    this.insert(`body.${body}`, [['position', this.vector(origin)], ...(stem === 'disc' ? [['points', '{ A = [0, 0] }'] as [string, string]] : [])]);
    return { body, isNew: true, place: (p) => ({ x: p.x - origin.x, y: p.y - origin.y }) };
  }
  // The outline gives a new body its mass and inertia.
  private shape(on: Carrier, elements: string): string {
    const name = this.fresh('profile', 'shape');
    this.insert(`profile.${name}`, [['body', text(on.body)], ['elements', elements], ...(on.isNew ? plate : [])]);
    return on.isNew ? `body.${on.body}` : `profile.${name}`;
  }
  contact(a: ModelElement, b: ModelElement): string {
    const name = this.fresh('contact', 'contact');
    this.insert(`contact.${name}`, [['a', text(a.name)], ['b', text(b.name)]]);
    return `contact.${name}`;
  }
}
