// The stage of the studio: the picture, what is selected in it, handles and lines over it, and what
// the pointer does. It knows poses and places, not the text.
import { Data } from '../../stage/data';
import { Pose, Stage, svgElement } from '../../stage/stage';
import { byId, svgOf } from './dom';
import { Gap, Motion } from './protocol';
import { Point, View } from './view';

// Something that can be dragged, in the axes of its body.
export interface Handle {
  path: string;
  body: number;
  x: number;
  y: number;
  locked?: string; // why it cannot be dragged
  also?: string; // another place of the text that is the same
  offset?: Point; // of the axes that the text uses
}
// What takes part in a gesture; a tool or a mode answers it.
export interface Gesture {
  at: Point; // on the ground, m
  body?: string;
  handle?: Handle;
  event: PointerEvent;
}
export interface Hand {
  down(g: Gesture): boolean; // whether it takes the gesture
  move(g: Gesture): void;
  up(g: Gesture): void;
  hover(g: Gesture): void;
}

const clickDistance = 4; // px
const emptyWidth = 0.4; // m, of the ground that is seen of an empty model

export class StagePanel {
  readonly view: View;
  readonly overlay = svgElement('svg', { class: 'overlay', 'aria-hidden': 'true' });
  private readonly canvas = byId('canvas');
  private svg?: SVGSVGElement;
  stage?: Stage;
  private bodies: string[] = [];
  private handles: Handle[] = [];
  private fixed: Point[] = []; // points of ground, which the picture does not show
  private gaps: Gap[] = [];
  private drawOver: () => SVGElement[] = () => [];
  private readonly pointers = new Map<number, Point>();
  private pressed?: { at: Point; taken: boolean; moved: boolean };
  hand?: Hand;
  onSelect: (paths: string[]) => void = () => {}; // what was clicked, the uppermost first

  constructor() {
    this.view = new View(this.canvas);
    this.view.onChange = () => {
      this.drawOverlay();
      this.drawScale();
    };
    this.canvas.append(this.overlay);
    this.canvas.addEventListener('pointerdown', (e) => this.down(e));
    this.canvas.addEventListener('pointermove', (e) => this.move(e));
    this.canvas.addEventListener('pointerup', (e) => this.up(e));
    this.canvas.addEventListener('pointercancel', (e) => this.up(e));
    this.canvas.addEventListener('contextmenu', (e) => e.preventDefault());
  }

  // ---- what is shown
  show(motion: Motion, data: Data, sameModel: boolean): void {
    const svg = svgOf(motion.stage);
    svg.classList.add('picture');
    svg.querySelector(':scope > rect')?.remove(); // the white ground of a file
    if (!sameModel) this.view.reset();
    if (this.svg) this.svg.replaceWith(svg);
    else this.canvas.prepend(svg);
    this.svg = svg;
    this.stage = new Stage(svg, data);
    this.bodies = ['ground', ...data.about.bodies.map((b) => b.name)];
    this.gaps = motion.gaps ?? [];
    for (const what of ['traces', 'forces', 'names'] as const) this.toggle(what, byId(`show-${what}`).getAttribute('aria-pressed') === 'true');
    this.view.show(svg, this.stage, data.about.bodies.length === 0 ? emptyWidth : undefined);
    this.setStale(false);
  }
  toggle(what: 'traces' | 'forces' | 'names', shown: boolean): void {
    byId(`show-${what}`).setAttribute('aria-pressed', String(shown));
    this.stage?.toggle(what, shown);
  }
  setStale(stale: boolean): void {
    this.canvas.classList.toggle('stale', stale);
  }
  get hasPicture(): boolean {
    return this.svg !== undefined;
  }
  get picture(): SVGSVGElement | undefined {
    return this.svg;
  }
  bodyIndex(name: string): number {
    return this.bodies.indexOf(name);
  }
  bodyName(index: number): string {
    return this.bodies[index];
  }
  select(body: string | undefined): void {
    for (const group of this.svg?.querySelectorAll<SVGGElement>('.body') ?? []) group.classList.toggle('selected', group.dataset.body === body);
  }
  setHandles(handles: Handle[], fixed: Point[]): void {
    this.handles = handles;
    this.fixed = fixed;
    this.drawOverlay();
  }
  // More elements over the picture, in pixels.
  setDrawing(draw: () => SVGElement[]): void {
    this.drawOver = draw;
    this.drawOverlay();
  }
  // Where a place of a body is now, m.
  groundPlace(body: number, x: number, y: number): Point {
    const pose: Pose = body === 0 || !this.stage ? { x: 0, y: 0, angle: 0 } : this.stage.poseOf(body);
    const c = Math.cos(pose.angle),
      s = Math.sin(pose.angle);
    return { x: pose.x + c * x - s * y, y: pose.y + s * x + c * y };
  }
  // The same place in the axes of the body.
  bodyPlace(body: number, p: Point): Point {
    const pose: Pose = body === 0 || !this.stage ? { x: 0, y: 0, angle: 0 } : this.stage.poseOf(body);
    const c = Math.cos(pose.angle),
      s = Math.sin(pose.angle),
      dx = p.x - pose.x,
      dy = p.y - pose.y;
    return { x: c * dx + s * dy, y: -s * dx + c * dy };
  }
  redraw(): void {
    this.drawOverlay();
  }

  private drawOverlay(): void {
    const out: SVGElement[] = [];
    for (const gap of this.gaps) {
      const a = this.view.toScreen({ x: gap.from[0], y: gap.from[1] }),
        b = this.view.toScreen({ x: gap.to[0], y: gap.to[1] });
      out.push(svgElement('line', { class: 'gap', x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
      const text = svgElement('text', { x: (a.x + b.x) / 2 + 6, y: (a.y + b.y) / 2 - 4 });
      text.textContent = `${gap.joint}: ${lengthText(gap.length)}`;
      out.push(text);
    }
    for (const place of this.fixed) {
      const p = this.view.toScreen(place);
      out.push(svgElement('path', { class: 'fixed', d: `M${p.x - 6} ${p.y}h12M${p.x} ${p.y - 6}v12` }));
    }
    for (const handle of this.handles) {
      const p = this.view.toScreen(this.groundPlace(handle.body, handle.x, handle.y));
      const dot = svgElement('circle', { class: handle.locked ? 'handle locked' : 'handle', cx: p.x, cy: p.y, r: 6.5, 'data-handle': handle.path });
      const title = svgElement('title');
      title.textContent = handle.locked ? `${handle.path}: ${handle.locked}` : handle.path;
      dot.append(title);
      out.push(dot);
    }
    this.overlay.replaceChildren(...out, ...this.drawOver());
  }
  // The longest round length of at most 130 px.
  private drawScale(): void {
    const room = 130 / this.view.pixelsPerMetre,
      power = 10 ** Math.floor(Math.log10(room));
    const length = power * (room >= 5 * power ? 5 : room >= 2 * power ? 2 : 1);
    const bar = byId('scale-bar');
    bar.style.width = `${(length * this.view.pixelsPerMetre).toFixed(1)}px`;
    bar.textContent = lengthText(length);
  }

  // ---- what the pointer does
  private gesture(e: PointerEvent): Gesture {
    // The pointer is captured, so the event does not tell what is under it.
    const under = document.elementsFromPoint(e.clientX, e.clientY);
    const path = under[0] instanceof SVGElement ? under[0].dataset.handle : undefined;
    const body = under.map((element) => element.closest<SVGGElement>('#canvas .body')).find((group) => group !== null);
    return {
      at: this.view.toGround(e.clientX, e.clientY),
      body: body?.dataset.body,
      handle: this.handles.find((h) => h.path === path),
      event: e,
    };
  }
  // The elements of the model under the pointer: pins and springs by their titles, then bodies.
  private pathsAt(e: PointerEvent): string[] {
    const out = new Set<string>();
    for (const element of document.elementsFromPoint(e.clientX, e.clientY)) {
      if (!this.canvas.contains(element)) continue;
      const title = element.querySelector(':scope > title')?.textContent ?? '';
      const joint = /^\w+ (.+?): /.exec(title),
        spring = /^spring (.+)$/.exec(title);
      if (joint && element.localName !== 'g') out.add('joint.' + joint[1]);
      else if (spring) out.add('force.' + spring[1]);
      const body = element.closest<SVGGElement>('.body')?.dataset.body;
      if (body !== undefined && body !== 'ground') out.add('body.' + body);
    }
    return [...out];
  }
  private down(e: PointerEvent): void {
    this.canvas.focus({ preventScroll: true });
    this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (this.pointers.size > 1) return this.release(e); // two fingers zoom
    this.canvas.setPointerCapture(e.pointerId);
    const g = this.gesture(e);
    const taken = e.button === 0 && (this.hand?.down(g) ?? false);
    this.pressed = { at: { x: e.clientX, y: e.clientY }, taken, moved: false };
    this.canvas.classList.toggle('grabbing', !taken);
  }
  private move(e: PointerEvent): void {
    const before = this.pointers.get(e.pointerId);
    if (before) this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (this.pointers.size === 2 && before) return this.pinch(e, before);
    if (!this.pressed || !before) return this.hand?.hover(this.gesture(e));
    if (Math.hypot(e.clientX - this.pressed.at.x, e.clientY - this.pressed.at.y) > clickDistance) this.pressed.moved = true;
    if (this.pressed.taken) this.hand?.move(this.gesture(e));
    else if (this.pressed.moved) this.view.pan(e.clientX - before.x, e.clientY - before.y);
  }
  private up(e: PointerEvent): void {
    this.pointers.delete(e.pointerId);
    const pressed = this.pressed;
    if (!pressed) return;
    this.release(e);
    if (pressed.taken) this.hand?.up(this.gesture(e));
    if (!pressed.moved && e.type === 'pointerup' && e.button === 0 && !(pressed.taken && this.canvas.classList.contains('drawing'))) this.onSelect(this.pathsAt(e));
  }
  private release(_: PointerEvent): void {
    this.pressed = undefined;
    this.canvas.classList.remove('grabbing');
  }
  private pinch(e: PointerEvent, before: Point): void {
    const other = [...this.pointers.entries()].find(([id]) => id !== e.pointerId)![1];
    const now = Math.hypot(e.clientX - other.x, e.clientY - other.y),
      then = Math.hypot(before.x - other.x, before.y - other.y);
    this.view.pan((e.clientX - before.x) / 2, (e.clientY - before.y) / 2);
    if (then > 0) this.view.zoom(now / then, this.view.toGround((e.clientX + other.x) / 2, (e.clientY + other.y) / 2));
  }
}

export function lengthText(metres: number): string {
  const [factor, unit] = metres > 0.999 ? [1, 'm'] : metres > 0.999e-3 ? [1e3, 'mm'] : [1e6, 'µm'];
  return `${Number((metres * factor).toPrecision(3))} ${unit}`;
}
