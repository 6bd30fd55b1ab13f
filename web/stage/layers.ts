// What can be seen of a motion besides the parts: velocities and accelerations, instantaneous
// centres and the paths they leave (centrodes), normals of contacts, the curvilinear coordinates of
// contacts and their ways along both profiles, impulses of events. Everything follows from the columns of the motion.
import { Data } from './data';
import { Stage, svgElement } from './stage';

export const layerNames = ['velocities', 'accelerations', 'centres', 'centrodes', 'normals', 'coordinates', 'impulses'] as const;
export type LayerName = (typeof layerNames)[number];
export const layerTitles: Record<LayerName, string> = {
  velocities: 'Velocities', accelerations: 'Accelerations', centres: 'Instantaneous centres', centrodes: 'Centrodes', normals: 'Contact normals', coordinates: 'Curvilinear coordinates', impulses: 'Impulses',
};

interface Vector {
  x: number;
  y: number;
}
const longest = 80, // px, of an arrow of usual size
  normalLength = 46, // px
  hold = 0.012, // of the whole motion: how long an impulse is seen
  samples = 600, // rows of a centrode
  farthest = 4; // sizes of the picture, of a centrode

interface BodyColumns {
  v: [number, number, number]; // vx, vy, omega
  a: [number, number, number];
  at: Vector; // where its arrows begin, in its axes, m
}

interface Known {
  bodies: (BodyColumns | undefined)[];
  usual: { velocities: number; accelerations: number };
}

export class Layers {
  private readonly group = svgElement('g', { class: 'layers' });
  private readonly shown = new Set<LayerName>();
  private known?: Known;
  private largestImpulse = 0;
  private centrodes?: { fixed: SVGElement; moving: SVGElement; body: number }[];
  private tracks?: { way: SVGElement; body: number }[]; // of contacts on the profiles
  private impulses: { t: number; contact: number; impulse: number }[] = [];
  private now = { t: 0, row: 0, share: 0 };

  constructor(
    private readonly stage: Stage,
    private readonly svg: SVGSVGElement,
    private data: Data,
  ) {
    svg.querySelector('.mechanism')!.append(this.group);
    this.setData(this.data);
  }
  setData(data: Data): void {
    this.data = data;
    this.known = this.centrodes = this.tracks = undefined;
    const contactOf = new Map(data.about.contacts.map((c, i) => [c.name, i]));
    this.impulses = data.about.events.flatMap((e) => (e.impulse !== 0 && contactOf.has(e.element) ? [{ t: e.t, contact: contactOf.get(e.element)!, impulse: e.impulse }] : []));
    this.largestImpulse = this.impulses.reduce((most, i) => Math.max(most, Math.abs(i.impulse)), 0);
  }
  // What vectors need of the bodies, when it is first asked for: it takes long.
  private get bodies(): (BodyColumns | undefined)[] {
    return this.knowBodies().bodies;
  }
  private get usual(): { velocities: number; accelerations: number } {
    return this.knowBodies().usual;
  }
  private knowBodies(): Known {
    if (this.known) return this.known;
    const groups = [...this.svg.querySelectorAll<SVGGElement>('.mechanism .body')].slice(1);
    const bodies = this.data.about.bodies.map((b, i) => {
      const columns = (tails: string[]) => tails.map((tail) => this.data.find(`${b.name}.${tail}`)) as [number, number, number];
      const v = columns(['vx', 'vy', 'omega']),
        a = columns(['ax', 'ay', 'alpha']);
      return v.some((c) => c < 0) ? undefined : { v, a, at: this.middle(groups[i]) };
    });
    return (this.known = { bodies, usual: { velocities: this.usualSize(bodies, (b) => b.v), accelerations: this.usualSize(bodies, (b) => b.a) } });
  }
  // Whether there is anything to see.
  has(layer: LayerName): boolean {
    if (layer === 'velocities' || layer === 'accelerations') return this.usual[layer] > 0;
    if (layer === 'impulses') return this.largestImpulse > 0;
    if (layer === 'normals' || layer === 'coordinates') return this.data.about.contacts.length > 0;
    return this.usual.velocities > 0;
  }
  toggle(layer: LayerName, on: boolean): void {
    if (on) this.shown.add(layer);
    else this.shown.delete(layer);
    this.draw();
  }
  isShown(layer: LayerName): boolean {
    return this.shown.has(layer);
  }
  show(t: number, row: number, share: number): void {
    this.now = { t, row, share };
    if (this.shown.size > 0 && !(this.shown.size === 1 && this.shown.has('impulses') && this.impulses.length === 0)) this.draw();
  }
  clear(): void {
    this.group.replaceChildren();
  }

  // The middle of what is drawn of a body, in its axes.
  private middle(group: SVGGElement | undefined): Vector {
    const box = group?.isConnected ? group.getBBox() : undefined;
    return box ? { x: (box.x + box.width / 2) / this.stage.scale, y: (box.y + box.height / 2) / this.stage.scale } : { x: 0, y: 0 };
  }
  // The largest at the middles of bodies, but for the rarest 2 % of rows.
  private usualSize(bodies: (BodyColumns | undefined)[], of: (b: BodyColumns) => [number, number, number]): number {
    const sizes: number[] = [],
      step = Math.max(1, this.data.time.length >> 8);
    for (const b of bodies)
      for (let row = 0; b && of(b)[0] >= 0 && row < this.data.time.length; row += step) {
        const size = Math.hypot(this.data.at(of(b)[0], row), this.data.at(of(b)[1], row));
        if (Number.isFinite(size)) sizes.push(size);
      }
    sizes.sort((a, b) => a - b);
    return sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
  }

  private value(columns: [number, number, number]): [number, number, number] {
    const { row, share } = this.now;
    return columns.map((c) => (c < 0 ? NaN : this.data.at(c, row, share))) as [number, number, number];
  }
  private draw(): void {
    const out: SVGElement[] = [],
      px = this.stage.pixel;
    const ofBodies = this.shown.has('velocities') || this.shown.has('accelerations') || this.shown.has('centres');
    if (ofBodies) this.bodies.forEach((b, i) => {
      if (!b) return;
      const { angle } = this.stage.poseOf(i + 1),
        c = Math.cos(angle),
        s = Math.sin(angle);
      const r = { x: c * b.at.x - s * b.at.y, y: s * b.at.x + c * b.at.y },
        at = this.stage.placeOf(i + 1, b.at.x, b.at.y);
      const [vx, vy, w] = this.value(b.v);
      const v = { x: vx - w * r.y, y: vy + w * r.x };
      if (this.shown.has('velocities')) out.push(...this.arrow('velocity', at, v, this.usual.velocities));
      if (this.shown.has('accelerations')) {
        const [ax, ay, alpha] = this.value(b.a);
        out.push(...this.arrow('acceleration', at, { x: ax - alpha * r.y - w * w * r.x, y: ay + alpha * r.x - w * w * r.y }, this.usual.accelerations));
      }
      if (this.shown.has('centres')) {
        const centre = this.centre(i, this.now.row, this.now.share);
        if (centre) out.push(svgElement('path', { class: 'centre', style: `stroke:${this.data.about.bodies[i].colour}`, d: this.cross(centre, 6 * px), 'data-body': this.data.about.bodies[i].name }));
      }
    });
    if (this.shown.has('centrodes')) out.push(...this.drawCentrodes());
    if (this.shown.has('normals')) out.push(...this.normals());
    if (this.shown.has('coordinates')) out.push(...this.drawTracks(), ...this.coordinates());
    if (this.shown.has('impulses')) out.push(...this.impulseArrows());
    this.group.replaceChildren(...out);
  }
  private cross(p: Vector, r: number): string {
    const { scale } = this.stage;
    const [x, y] = [p.x * scale, p.y * scale];
    return `M${x - r} ${y}H${x + r}M${x} ${y - r}V${y + r}`;
  }
  private arrow(kind: string, at: Vector, v: Vector, usual: number): SVGElement[] {
    const px = this.stage.pixel,
      size = Math.hypot(v.x, v.y),
      length = Math.min(1.5, size / usual) * longest * px;
    if (!(length > 3 * px)) return [];
    const { scale } = this.stage,
      u = { x: v.x / size, y: v.y / size },
      head = Math.min(9 * px, 0.6 * length);
    const from = { x: at.x * scale, y: at.y * scale },
      tip = { x: from.x + length * u.x, y: from.y + length * u.y },
      back = { x: tip.x - head * u.x, y: tip.y - head * u.y };
    const out = svgElement('path', {
      class: `arrow ${kind}`,
      d: `M${from.x} ${from.y}L${back.x} ${back.y}M${tip.x} ${tip.y}L${back.x - 0.4 * head * u.y} ${back.y + 0.4 * head * u.x}L${back.x + 0.4 * head * u.y} ${back.y - 0.4 * head * u.x}z`,
      'data-size': size.toPrecision(6),
    });
    return [out];
  }

  // The point of a body that is at rest, m: from its origin by (-vy, vx)/omega. None where it is
  // farther away than can be seen.
  private centre(i: number, row: number, share = 0): Vector | undefined {
    const b = this.bodies[i],
      pose = this.data.about.bodies[i];
    if (!b) return undefined;
    const [vx, vy, w] = b.v.map((c) => this.data.at(c, row, share));
    const x = this.data.at(pose.x, row, share) - vy / w,
      y = this.data.at(pose.y, row, share) + vx / w;
    const { width, height } = this.svg.viewBox.baseVal,
      most = (farthest * Math.max(width, height, 800)) / this.stage.scale;
    return Math.abs(x) < most && Math.abs(y) < most ? { x, y } : undefined;
  }
  // The paths of the centre on ground and on the body; a centre that rests leaves none.
  private drawCentrodes(): SVGElement[] {
    this.centrodes ??= this.data.about.bodies.flatMap((body, i) => {
      const step = Math.max(1, Math.floor(this.data.time.length / samples)),
        { scale } = this.stage;
      let fixed = '',
        moving = '',
        pen = 'M',
        first: Vector | undefined,
        way = 0;
      for (let row = 0; row < this.data.time.length; row += step) {
        const p = this.centre(i, row);
        if (!p) {
          pen = 'M';
          continue;
        }
        first ??= p;
        way = Math.max(way, Math.hypot(p.x - first.x, p.y - first.y));
        const angle = this.data.at(body.angle, row),
          c = Math.cos(angle),
          s = Math.sin(angle),
          dx = p.x - this.data.at(body.x, row),
          dy = p.y - this.data.at(body.y, row);
        fixed += `${pen}${(scale * p.x).toFixed(2)} ${(scale * p.y).toFixed(2)}`;
        moving += `${pen}${(scale * (c * dx + s * dy)).toFixed(2)} ${(scale * (c * dy - s * dx)).toFixed(2)}`;
        pen = 'L';
      }
      if (way * scale < 8) return [];
      const style = `stroke:${body.colour}`;
      return [{ body: i + 1, fixed: svgElement('path', { class: 'centrode fixed', d: fixed, style }), moving: svgElement('path', { class: 'centrode moving', d: moving, style }) }];
    });
    return this.centrodes.flatMap(({ body, fixed, moving }) => [fixed, this.onBody(body, moving)]);
  }
  // Drawn in the axes of a body.
  private onBody(body: number, element: SVGElement): SVGElement {
    const { scale } = this.stage,
      p = this.stage.poseOf(body);
    element.setAttribute('transform', `translate(${(scale * p.x).toFixed(3)} ${(scale * p.y).toFixed(3)}) rotate(${((p.angle * 180) / Math.PI).toFixed(4)})`);
    return element;
  }

  private contactAt(i: number, row: number, share: number): { at: Vector; n: Vector } | undefined {
    const contact = this.data.about.contacts[i],
      at = { x: this.data.at(contact.x, row, share), y: this.data.at(contact.y, row, share) };
    if (!Number.isFinite(at.x)) return undefined;
    const angle = this.data.at(contact.angle, row);
    return { at, n: { x: Math.cos(angle), y: Math.sin(angle) } };
  }
  private normals(): SVGElement[] {
    const { scale, pixel } = this.stage,
      l = normalLength * pixel;
    return this.data.about.contacts.flatMap((contact, i) => {
      const found = this.contactAt(i, this.now.row, this.now.share);
      if (!found) return [];
      const { at, n } = found,
        [x, y] = [scale * at.x, scale * at.y];
      return [svgElement('path', { class: 'normal', 'data-contact': contact.name, d: `M${x - l * n.x} ${y - l * n.y}L${x + l * n.x} ${y + l * n.y}M${x + 0.6 * l * n.y} ${y - 0.6 * l * n.x}L${x - 0.6 * l * n.y} ${y + 0.6 * l * n.x}` })];
    });
  }
  // Where each contact passes along the profiles of both bodies in the whole motion.
  private drawTracks(): SVGElement[] {
    const { about, time } = this.data,
      step = Math.max(1, Math.floor(time.length / samples)),
      { scale } = this.stage;
    this.tracks ??= about.contacts.flatMap((contact, i) => {
      const edge = about.edges?.find(([name, kind]) => kind === 'contact' && name === contact.name.replace(/#\d+$/, ''));
      return (edge?.slice(2) ?? []).map((of) => {
        const body = Number(of),
          pose = about.bodies[body - 1];
        let way = '',
          pen = 'M';
        for (let row = 0; row < time.length; row += step) {
          const p = this.contactAt(i, row, 0)?.at;
          if (!p) {
            pen = 'M';
            continue;
          }
          const angle = pose ? this.data.at(pose.angle, row) : 0,
            c = Math.cos(angle),
            s = Math.sin(angle),
            dx = p.x - (pose ? this.data.at(pose.x, row) : 0),
            dy = p.y - (pose ? this.data.at(pose.y, row) : 0);
          way += `${pen}${(scale * (c * dx + s * dy)).toFixed(2)} ${(scale * (c * dy - s * dx)).toFixed(2)}`;
          pen = 'L';
        }
        return { body, way: svgElement('path', { class: 'track', d: way, 'data-contact': contact.name }) };
      });
    });
    return this.tracks.map(({ body, way }) => (body > 0 ? this.onBody(body, way) : way));
  }
  // Beside each contact that is closed: on which element of either profile it is, and how far along.
  private coordinates(): SVGElement[] {
    const { scale, pixel } = this.stage,
      { row, share } = this.now;
    return this.data.about.contacts.flatMap((contact, i) => {
      const found = this.contactAt(i, row, share),
        columns = ['a', 'b'].map((side) => this.data.find(`${contact.name}.${side}`));
      if (!found || columns.some((c) => c < 0)) return [];
      const { at, n } = found,
        words = svgElement('text', { class: 'coordinate', 'data-contact': contact.name, transform: `translate(${(scale * at.x - 14 * pixel * n.y).toFixed(2)} ${(scale * at.y + 14 * pixel * n.x).toFixed(2)}) scale(1 -1)` });
      words.textContent = columns.map((c, side) => `${'ab'[side]} ${this.data.at(c, row).toFixed(3)}`).join('  ');
      return [svgElement('circle', { class: 'touch', cx: scale * at.x, cy: scale * at.y, r: 3.5 * pixel }), words];
    });
  }
  // Those of events a short time ago.
  private impulseArrows(): SVGElement[] {
    const { t } = this.now,
      since = t - hold * (this.data.end - this.data.start);
    return this.impulses
      .filter((i) => i.t <= t && i.t >= since)
      .flatMap(({ t: then, contact, impulse }) => {
        const row = this.data.rowAt(then);
        // A contact that opens at once has its place in the row before the event.
        const found = [row, row - 1, row + 1].map((r) => (r >= 0 && r < this.data.time.length ? this.contactAt(contact, r, 0) : undefined)).find((c) => c !== undefined);
        return found ? this.arrow('impulse', found.at, { x: impulse * found.n.x, y: impulse * found.n.y }, this.largestImpulse) : [];
      });
  }
}
