// The stage of the studio: the picture, what is selected in it, handles and lines over it, and what
// the pointer does. It knows poses and places, not the text.
import { Data } from '../../../stage/data';
import { layerNames, Layers, LayerName } from '../../../stage/layers';
import { Lens } from '../../../stage/lens';
import { Pose, Stage, svgElement } from '../../../stage/stage';
import type { Handle } from '../hand/handles';
import { gridPixels } from '../hand/quantities';
import { byId, svgOf } from '../page/dom';
import { Background } from './background';
import { Gap, Motion } from '../engine/protocol';
import { lengthText, Point, View } from '../../../stage/view';

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
const mostNames = 60; // bodies whose names and paths are shown at first
const narrow = 500, // px
  narrowEmptyWidth = 0.25, // m, as
  emptyWidth = 0.4, // m, of the ground that is seen of an empty model, at most
  perPixel = 5e-3 / gridPixels; // m, so that clicks snap to 5 mm

// A place of the ground in the axes of a body.
export function inAxes(pose: Pose, p: Point): Point {
  const c = Math.cos(pose.angle),
    s = Math.sin(pose.angle),
    dx = p.x - pose.x,
    dy = p.y - pose.y;
  return { x: c * dx + s * dy, y: -s * dx + c * dy };
}

// What a part of the picture shows: a body by its name, pins and springs by their titles.
function pathOf(part: Element): string | undefined {
  if (part.classList.contains('body')) return 'body.' + (part as SVGElement).dataset.body;
  const title = part.querySelector(':scope > title')?.textContent ?? '';
  const joint = part.localName === 'g' ? null : /^\w+ (.+?): /.exec(title),
    spring = /^spring (.+)$/.exec(title);
  return joint ? 'joint.' + joint[1] : spring ? 'force.' + spring[1] : undefined;
}

export class StagePanel {
  readonly view: View;
  readonly overlay = svgElement('svg', { class: 'overlay', 'aria-hidden': 'true' });
  private readonly canvas = byId('canvas');
  private svg?: SVGSVGElement;
  stage?: Stage;
  layers?: Layers;
  readonly lens: Lens;
  readonly background: Background;
  private readonly wanted = new Set<LayerName>(['impulses']); // layers that the user wants to see
  private ghost?: { stage: Stage; data: Data; svg: SVGSVGElement }; // a run that was kept
  private bodies: string[] = [];
  private handles: Handle[] = [];
  private fixed: Point[] = []; // points of ground, which the picture does not show
  private gaps: Gap[] = [];
  private isEmpty = false;
  private drawOver: () => SVGElement[] = () => [];
  private readonly pointers = new Map<number, Point>();
  private pressed?: { at: Point; taken: boolean; moved: boolean; box: boolean; draws: boolean };
  private boxed?: { from: Point; to: Point }; // px of the canvas
  hand?: Hand;
  drawMore: () => SVGElement[] = () => []; // dimensions
  onSelect: (paths: string[], more: boolean) => void = () => {}; // what was clicked, the uppermost first
  onBox: (bodies: string[], more: boolean) => void = () => {}; // what a box has met
  onDimension: (index: number, at: Point) => void = () => {};

  constructor() {
    // Tools stand on the left, words above and below.
    this.view = new View(this.canvas, () => (this.canvas.clientWidth < narrow ? { left: 12, right: 12, top: 84, bottom: 72 } : { left: 96, right: 14, top: 40, bottom: 44 }));
    this.lens = new Lens(this.canvas, this.view);
    this.background = new Background(this.canvas, this.view);
    this.view.onChange = () => {
      this.lens.draw();
      this.background.place();
      this.placeGhost();
      this.drawOverlay();
      this.view.showScale(byId('scale-bar'));
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
    if (!sameModel) {
      this.view.reset();
      // So many names and paths hide the parts, and take longer to paint than these.
      if (data.about.bodies.length > mostNames) for (const what of ['names', 'traces']) byId(`show-${what}`).setAttribute('aria-pressed', 'false');
    }
    if (this.svg) this.svg.replaceWith(svg);
    else this.canvas.prepend(svg);
    this.svg = svg;
    this.stage = new Stage(svg, data);
    this.layers = new Layers(this.stage, svg, data);
    for (const layer of this.wanted) this.layers.toggle(layer, true);
    this.bodies = ['ground', ...data.about.bodies.map((b) => b.name)];
    this.gaps = motion.gaps ?? [];
    this.isEmpty = data.about.bodies.length === 0 && svg.querySelector('.mechanism .body > :not(title)') === null;
    for (const what of ['traces', 'forces', 'names'] as const) this.toggle(what, byId(`show-${what}`).getAttribute('aria-pressed') === 'true');
    this.view.show(svg, this.stage, data.about.bodies.length === 0 ? (this.canvas.clientWidth < narrow ? narrowEmptyWidth : Math.min(emptyWidth, perPixel * this.canvas.clientWidth)) : undefined);
    this.setStale();
  }
  toggle(what: 'traces' | 'forces' | 'names', shown: boolean): void {
    byId(`show-${what}`).setAttribute('aria-pressed', String(shown));
    this.stage?.toggle(what, shown);
  }
  // The same mechanism with a longer motion.
  setData(data: Data): void {
    this.stage?.setData(data);
    this.layers?.setData(data);
  }
  showTime(t: number, row: number, share: number): void {
    this.stage?.show(row, share);
    this.view.keepUp();
    this.layers?.show(t, row, share);
    this.lens.draw();
    if (!this.ghost) return;
    const { data, stage } = this.ghost,
      at = data.rowAt(t),
      step = at + 1 < data.time.length ? data.time[at + 1] - data.time[at] : 0;
    stage.show(at, step > 0 ? Math.min(1, Math.max(0, (t - data.time[at]) / step)) : 0);
  }
  setLayer(layer: LayerName, on: boolean): void {
    if (on) this.wanted.add(layer);
    else this.wanted.delete(layer);
    this.layers?.toggle(layer, on);
  }
  layersThere(): { name: LayerName; on: boolean; there: boolean }[] {
    return layerNames.map((name) => ({ name, on: this.wanted.has(name), there: this.layers?.has(name) ?? false }));
  }
  // A run that was kept moves behind this one, faint.
  setGhost(motion: Motion | undefined, data?: Data): void {
    this.ghost?.svg.remove();
    this.ghost = undefined;
    if (!motion || !data) return;
    const svg = svgOf(motion.stage);
    svg.classList.add('ghost');
    svg.setAttribute('aria-hidden', 'true');
    svg.querySelector(':scope > rect')?.remove();
    svg.querySelectorAll('.names, .trace, .forces, title').forEach((part) => part.remove());
    this.canvas.prepend(svg);
    this.ghost = { svg, data, stage: new Stage(svg, data) };
    this.ghost.stage.toggle('forces', false);
    this.placeGhost();
  }
  private placeGhost(): void {
    if (!this.ghost) return;
    const { svg, stage } = this.ghost,
      box = this.view.seen();
    svg.setAttribute('viewBox', `${stage.origin.x + box.x * stage.scale} ${stage.origin.y - box.y * stage.scale} ${box.width * stage.scale} ${box.height * stage.scale}`);
  }
  // The last good picture of a text that cannot be parsed is grey; of a wrong model it is faint, and
  // what is wrong is red.
  setStale(how?: 'stale' | 'wrong', faulty: string[] = []): void {
    if (!this.svg) this.drawOverlay();
    this.canvas.classList.toggle('stale', how === 'stale');
    this.canvas.classList.toggle('wrong', how === 'wrong');
    this.mark('faulty', faulty);
  }
  // Gives the pictures of elements a look of their own, and takes it from all others.
  mark(as: 'faulty' | 'redundant' | 'holding', paths: string[]): void {
    this.svg?.querySelectorAll('.' + as).forEach((part) => part.classList.remove(as));
    if (paths.length === 0) return;
    for (const part of this.svg?.querySelectorAll('.mechanism .body, .mechanism :has(> title)') ?? []) part.classList.toggle(as, paths.includes(pathOf(part) ?? ''));
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
  get allBodies(): string[] {
    return this.bodies.slice(1);
  }
  bodyName(index: number): string {
    return this.bodies[index];
  }
  select(bodies: string[]): void {
    for (const group of this.svg?.querySelectorAll<SVGGElement>('.body') ?? []) group.classList.toggle('selected', bodies.includes(group.dataset.body ?? ''));
    for (const name of this.svg?.querySelectorAll<SVGTextElement>('.names [data-name]') ?? []) name.classList.toggle('selected', bodies.includes(this.bodies[Number(name.dataset.name)]));
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
    return inAxes(body === 0 || !this.stage ? { x: 0, y: 0, angle: 0 } : this.stage.poseOf(body), p);
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
    if (this.boxed) {
      const { from, to } = this.boxed;
      out.push(svgElement('rect', { class: to.x >= from.x ? 'box' : 'box crossing', x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) }));
    }
    const invitation = !this.svg ? 'No picture yet: the text has an error.' : this.isEmpty ? 'Draw a link (L), a circle (C) or a profile (F).' : '';
    if (invitation && !this.canvas.classList.contains('drawing')) {
      const words = svgElement('text', { class: 'invitation', x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 2, 'text-anchor': 'middle' });
      words.textContent = invitation;
      out.push(words);
    }
    const dimensions = this.drawMore();
    this.canvas.classList.toggle('measured', dimensions.length > 0); // the name of the body would be in the way
    this.overlay.replaceChildren(...dimensions, ...out, ...this.drawOver());
  }
  // ---- what the pointer does
  private gesture(e: PointerEvent): Gesture {
    // The pointer is captured, so the event does not tell what is under it.
    const [top] = document.elementsFromPoint(e.clientX, e.clientY),
      path = top instanceof SVGElement ? top.dataset.handle : undefined,
      at = this.view.toGround(e.clientX, e.clientY);
    return {
      at,
      body: this.bodyAt(at),
      handle: this.handles.find((h) => h.path === path),
      event: e,
    };
  }
  // The uppermost body at a place of the ground.
  bodyAt(place: Point): string | undefined {
    const { left, top } = this.canvas.getBoundingClientRect(),
      p = this.view.toScreen(place);
    const groups = document.elementsFromPoint(left + p.x, top + p.y).map((element) => element.closest<SVGGElement>('#canvas .body'));
    return groups.find((group) => group !== null)?.dataset.body;
  }
  // The elements of the model under the pointer: pins and springs by their titles, then bodies.
  private pathsAt(e: PointerEvent): string[] {
    const out = new Set<string>();
    for (const element of document.elementsFromPoint(e.clientX, e.clientY)) {
      if (!this.canvas.contains(element)) continue;
      const path = element.classList.contains('body') ? undefined : pathOf(element),
        body = element.closest<SVGGElement>('.body')?.dataset.body;
      if (path !== undefined) out.add(path);
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
    // A finger, the middle and the right button move the ground; the left one draws a box.
    const box = !taken && e.button === 0 && e.pointerType !== 'touch';
    this.pressed = { at: { x: e.clientX, y: e.clientY }, taken, moved: false, box, draws: this.canvas.classList.contains('drawing') };
    this.canvas.classList.toggle('grabbing', !taken && !box);
  }
  private move(e: PointerEvent): void {
    const before = this.pointers.get(e.pointerId);
    if (before) this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (this.pointers.size === 2 && before) return this.pinch(e, before);
    if (!this.pressed || !before) return this.hand?.hover(this.gesture(e));
    if (Math.hypot(e.clientX - this.pressed.at.x, e.clientY - this.pressed.at.y) > clickDistance) this.pressed.moved = true;
    if (this.pressed.taken) this.hand?.move(this.gesture(e));
    else if (this.pressed.box && this.pressed.moved) {
      const { left, top } = this.canvas.getBoundingClientRect();
      this.boxed = { from: { x: this.pressed.at.x - left, y: this.pressed.at.y - top }, to: { x: e.clientX - left, y: e.clientY - top } };
      this.drawOverlay();
    } else if (this.pressed.moved) this.view.pan(e.clientX - before.x, e.clientY - before.y);
  }
  private up(e: PointerEvent): void {
    this.pointers.delete(e.pointerId);
    const pressed = this.pressed;
    if (!pressed) return;
    this.release(e);
    if (pressed.taken) this.hand?.up(this.gesture(e));
    if (this.boxed) return this.endBox(e);
    if (pressed.moved || e.type !== 'pointerup' || e.button !== 0 || pressed.draws) return; // the last click of a tool selects nothing
    const dimension = document.elementsFromPoint(e.clientX, e.clientY).find((x) => x instanceof SVGElement && x.dataset.dimension !== undefined) as SVGElement | undefined;
    const { left, top } = this.canvas.getBoundingClientRect();
    if (dimension) this.onDimension(Number(dimension.dataset.dimension), { x: e.clientX - left, y: e.clientY - top });
    else this.onSelect(this.pathsAt(e), e.shiftKey);
  }
  // From left to right it takes what it encloses, from right to left also what it crosses.
  private endBox(e: PointerEvent): void {
    const { from, to } = this.boxed!,
      { left, top } = this.canvas.getBoundingClientRect(),
      crossing = to.x < from.x;
    this.boxed = undefined;
    this.drawOverlay();
    const box = { left: Math.min(from.x, to.x) + left, right: Math.max(from.x, to.x) + left, top: Math.min(from.y, to.y) + top, bottom: Math.max(from.y, to.y) + top };
    const met = [...(this.svg?.querySelectorAll<SVGGElement>('.mechanism .body') ?? [])].filter((group) => {
      const b = group.getBoundingClientRect();
      if (group.dataset.body === 'ground' || b.width + b.height === 0) return false;
      return crossing ? b.left < box.right && b.right > box.left && b.top < box.bottom && b.bottom > box.top : b.left >= box.left && b.right <= box.right && b.top >= box.top && b.bottom <= box.bottom;
    });
    this.onBox(met.map((group) => group.dataset.body!), e.shiftKey);
  }
  private release(_: PointerEvent): void {
    this.pressed = undefined;
    this.canvas.classList.remove('grabbing');
  }
  private pinch(e: PointerEvent, before: Point): void {
    const other = [...this.pointers.entries()].find(([id]) => id !== e.pointerId)![1];
    this.view.pinch({ x: e.clientX, y: e.clientY }, before, other);
  }
}
