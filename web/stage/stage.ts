// The moving picture. The program has drawn it; here groups are moved, and arrows added.
import { Data, Place, numberText } from './data';

const longest = 90; // of an arrow, drawing units
const wordSize = 11.5; // of names, pixels, as in the style
const svgNamespace = 'http://www.w3.org/2000/svg';

export function svgElement<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Record<string, string | number> = {},
): SVGElementTagNameMap[K] {
  const out = document.createElementNS(svgNamespace, name);
  for (const key in attributes)
    if (key === 'style') out.style.cssText = String(attributes[key]); // a policy may forbid the attribute
    else out.setAttribute(key, String(attributes[key]));
  return out;
}

export interface Pose {
  x: number; // drawing units, or metres
  y: number;
  angle: number; // rad
}
interface Arrow {
  group: SVGGElement;
  shaft: SVGLineElement;
  head: SVGPathElement;
}
interface Span {
  a: { x: number; y: number };
  b: { x: number; y: number };
  length: number;
  angle: number;
}
interface Label {
  text: SVGTextElement;
  body: number;
  x: number; // in the axes of the body, drawing units
  y: number;
  length: number; // letters
  hidden: boolean;
}

export class Stage {
  // What an arrow of full length stands for, N; 0 without contacts.
  private fullForce = 0;
  private readonly bodies: SVGGElement[];
  private readonly rods: SVGPathElement[];
  private readonly springs: { path: SVGPathElement; drawn: Span }[]; // stretched from how they were drawn
  private readonly labels: Label[] = [];
  private arrows: Arrow[] = [];
  readonly origin: { x: number; y: number }; // of the ground axes, drawing units
  readonly scale: number; // drawing units per metre
  private unit = 0; // drawing units per pixel; 0: not known yet
  private readonly poses: Pose[] = [{ x: 0, y: 0, angle: 0 }];

  constructor(
    private readonly svg: SVGSVGElement,
    private data: Data,
  ) {
    const mechanism = svg.querySelector<SVGGElement>('.mechanism')!;
    this.scale = Number(svg.dataset.scale);
    const [x, y] = /translate\(([-\d.e]+) ([-\d.e]+)\)/.exec(mechanism.getAttribute('transform')!)!.slice(1).map(Number);
    this.origin = { x, y };
    this.bodies = [...mechanism.querySelectorAll<SVGGElement>('.body')].slice(1); // ground rests
    this.rods = [...mechanism.querySelectorAll<SVGPathElement>('.rod')];
    this.findPoses(0, 0);
    this.springs = [...mechanism.querySelectorAll<SVGPathElement>('.spring')].map((path, i) => ({ path, drawn: this.span(data.about.springs[i]) }));
    for (const text of svg.querySelectorAll<SVGTextElement>('[data-name]')) this.addLabel(text, Number(text.dataset.name));
    for (const text of svg.querySelectorAll<SVGTextElement>('.names .path')) this.addLabel(text, 0);
    this.addForces();
  }

  // The same mechanism with another motion, for example a longer one.
  setData(data: Data): void {
    this.data = data;
    this.svg.querySelectorAll('.forces').forEach((group) => group.remove());
    this.addForces();
  }
  private addForces(): void {
    this.fullForce = this.usualForce();
    const forces = svgElement('g', { class: 'forces' });
    this.arrows = this.data.about.contacts.map((contact) => this.addArrow(forces, contact.name));
    this.svg.querySelector('.mechanism')!.append(forces);
  }

  // After the part of the picture that is seen has changed; `unit`: drawing units per pixel.
  keepWords(unit: number): void {
    if (unit === this.unit) return;
    this.unit = unit;
    this.svg.style.setProperty('--unit', unit.toFixed(3));
    this.placeLabels();
  }

  show(row: number, share: number): void {
    this.findPoses(row, share);
    this.moveParts();
    this.arrows.forEach((arrow, i) => this.showArrow(arrow, i, row, share));
  }
  private moveParts(): void {
    this.bodies.forEach((group, i) => {
      const p = this.poses[i + 1];
      const degrees = (p.angle * 180) / Math.PI;
      group.setAttribute('transform', `translate(${p.x.toFixed(3)} ${p.y.toFixed(3)}) rotate(${degrees.toFixed(4)})`);
    });
    this.data.about.rods.forEach((ends, i) => {
      const { a, b } = this.span(ends);
      this.rods[i]?.setAttribute('d', `M${a.x.toFixed(2)} ${a.y.toFixed(2)}L${b.x.toFixed(2)} ${b.y.toFixed(2)}`);
    });
    this.springs.forEach((spring, i) => {
      const now = this.span(this.data.about.springs[i]),
        { a, length, angle } = spring.drawn;
      const stretch = length > 0 ? now.length / length : 1;
      spring.path.setAttribute(
        'transform',
        `translate(${now.a.x.toFixed(2)} ${now.a.y.toFixed(2)}) rotate(${now.angle.toFixed(3)}) scale(${stretch.toFixed(5)} 1) rotate(${-angle}) translate(${-a.x} ${-a.y})`,
      );
    });
    this.placeLabels();
  }

  // A name that would cover an earlier one stands a line lower or higher, or is left out.
  private placeLabels(): void {
    if (this.svg.classList.contains('hide-names')) return;
    const line = wordSize * this.unit,
      taken = new Map<number, { x: number; y: number; half: number }[]>(); // by lines
    const near = (y: number) => [-1, 0, 1].flatMap((d) => taken.get(Math.round(y / line) + d) ?? []);
    for (const label of this.labels) {
      const { text, body, x, y } = label,
        at = this.place(body, x, y),
        half = 0.28 * line * label.length;
      const free = [0, line, -line].find((d) =>
        near(at.y - d).every((t) => Math.abs(t.y - at.y + d) >= line || Math.abs(t.x - at.x) >= t.half + half),
      );
      if (label.hidden !== (free === undefined)) text.setAttribute('visibility', (label.hidden = free === undefined) ? 'hidden' : 'inherit');
      if (free === undefined) continue;
      const place = { x: at.x, y: at.y - free, half },
        row = Math.round(place.y / line);
      if (!taken.get(row)?.push(place)) taken.set(row, [place]);
      // Moved as a whole: another place in x and y would set its letters anew.
      text.setAttribute('transform', `translate(${(this.origin.x + at.x).toFixed(2)} ${(this.origin.y - at.y + free).toFixed(2)})`);
    }
  }

  private findPoses(row: number, share: number): void {
    this.data.about.bodies.forEach((b, i) => {
      this.poses[i + 1] = {
        x: this.scale * this.data.at(b.x, row, share),
        y: this.scale * this.data.at(b.y, row, share),
        angle: this.data.at(b.angle, row, share),
      };
    });
  }
  // What half of the longest arrow stands for, N, and how long it is on the screen; 0 N without contacts.
  forceScale(): { force: number; pixels: number } {
    return { force: this.fullForce / 2, pixels: this.unit > 0 ? longest / 2 / this.unit : 0 };
  }
  // Drawing units per pixel of the screen.
  get pixel(): number {
    return this.unit;
  }
  // Where a place of a body is, m.
  placeOf(body: number, x: number, y: number): { x: number; y: number } {
    const p = this.place(body, this.scale * x, this.scale * y);
    return { x: p.x / this.scale, y: p.y / this.scale };
  }
  hasBody(body: number): boolean {
    return this.poses[body] !== undefined;
  }
  // A pose of a body as it is shown, m and rad.
  poseOf(body: number): Pose {
    const { x, y, angle } = this.poses[body];
    return { x: x / this.scale, y: y / this.scale, angle };
  }
  // Puts the bodies somewhere else than the motion has them.
  placeBodies(poses: Pose[]): void {
    poses.forEach((p, i) => (this.poses[i + 1] = { x: this.scale * p.x, y: this.scale * p.y, angle: p.angle }));
    this.moveParts();
    for (const arrow of this.arrows) arrow.group.setAttribute('display', 'none');
  }
  private place(body: number, x: number, y: number): { x: number; y: number } {
    const p = this.poses[body],
      c = Math.cos(p.angle),
      s = Math.sin(p.angle);
    return { x: p.x + c * x - s * y, y: p.y + s * x + c * y };
  }

  // Where the ends of a rod or spring are, its length, and its direction in degrees.
  private span(ends: [Place, Place]): Span {
    const [a, b] = ends.map((end) => this.place(end.body, end.x * this.scale, end.y * this.scale));
    return { a, b, length: Math.hypot(b.x - a.x, b.y - a.y), angle: (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI };
  }

  // A name keeps its place on its body and stays upright.
  private addLabel(text: SVGTextElement, body: number): void {
    const p = this.poses[body];
    const x = Number(text.getAttribute('x')) - this.origin.x - p.x,
      y = this.origin.y - Number(text.getAttribute('y')) - p.y;
    const c = Math.cos(p.angle),
      s = Math.sin(p.angle);
    text.setAttribute('x', '0');
    text.setAttribute('y', '0');
    this.labels.push({ text, body, x: c * x + s * y, y: -s * x + c * y, length: text.textContent!.length, hidden: false });
  }

  // The force that only one in fifty samples exceeds, rounded up to 1, 2 or 5 times a power of ten.
  private usualForce(): number {
    const forces: number[] = [];
    for (const contact of this.data.about.contacts) {
      if (contact.force < 0) continue;
      const step = Math.max(1, Math.floor(this.data.time.length / 2000));
      for (let row = 0; row < this.data.time.length; row += step) {
        const f = this.data.at(contact.force, row);
        if (f > 0) forces.push(f);
      }
    }
    if (forces.length === 0) return 0;
    forces.sort((a, b) => a - b);
    const usual = forces[Math.floor(0.98 * (forces.length - 1))];
    const power = 10 ** Math.floor(Math.log10(usual));
    return power * ([1, 2, 5, 10].find((k) => k * power >= usual * 0.999) as number);
  }

  private addArrow(parent: SVGGElement, name: string): Arrow {
    const group = svgElement('g', { class: 'force', 'data-contact': name, display: 'none' });
    const title = svgElement('title');
    title.textContent = name;
    const shaft = svgElement('line', { x1: 0, y1: 0, y2: 0, 'stroke-width': 2.6 });
    const head = svgElement('path', { d: 'M0 0L-10 4.5V-4.5z' });
    group.append(title, svgElement('circle', { r: 3.4 }), shaft, head);
    parent.append(group);
    return { group, shaft, head };
  }

  private showArrow(arrow: Arrow, i: number, row: number, share: number): void {
    const contact = this.data.about.contacts[i],
      scale = this.scale;
    const x = this.data.at(contact.x, row, share),
      y = this.data.at(contact.y, row, share);
    if (!Number.isFinite(x)) return arrow.group.setAttribute('display', 'none');
    // Directions are not mixed across a whole turn.
    const value = (column: number) => (column < 0 ? 0 : this.data.at(column, row, share) || 0);
    const normal = value(contact.force),
      friction = value(contact.friction);
    const angle = ((this.data.at(contact.angle, row) + Math.atan2(friction, normal)) * 180) / Math.PI;
    const force = Math.hypot(normal, friction);
    const length = this.fullForce > 0 ? Math.min(1.3, force / this.fullForce) * longest : 0;
    arrow.group.setAttribute('display', 'inline');
    arrow.group.setAttribute('transform', `translate(${(scale * x).toFixed(2)} ${(scale * y).toFixed(2)}) rotate(${angle.toFixed(2)})`);
    arrow.group.dataset.normal = numberText(normal);
    arrow.group.dataset.friction = numberText(friction);
    arrow.shaft.setAttribute('x2', Math.max(0, length - 8).toFixed(2));
    arrow.head.setAttribute('transform', `translate(${length.toFixed(2)} 0)`);
    arrow.head.setAttribute('display', length > 4 ? 'inline' : 'none');
  }

  toggle(what: 'traces' | 'forces' | 'names', shown: boolean): void {
    this.svg.classList.toggle('hide-' + what, !shown);
    if (what === 'names') this.placeLabels();
  }
  hasTraces(): boolean {
    return this.svg.querySelector('.trace') !== null;
  }
}
