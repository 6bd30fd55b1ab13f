// The drawing tools: what clicks mean, and what is shown before them. A tool returns to selection
// after one use; a double click on its button keeps it.
import { svgElement } from '../../../stage/stage';
import { byId, make, toast } from '../page/dom';
import { showTabBeside } from '../page/tabs';
import { Copying } from './copying';
import { curvesOfProfile, nearestOn } from './curves';
import { Drawing } from './drawing';
import { Grid } from './grid';
import { lengthIn, lengthOf, lengthUnit } from './quantities';
import { ModelElement } from '../engine/protocol';
import { gridStep, held, joiningText, snap, Snap } from './snapping';
import { tools } from './tool_list';
import { Gesture, Hand } from '../panels/stage_panel';
import type { Studio } from '../studio';
import { lengthText, Point } from '../../../stage/view';

const letter = 7; // px, of a note

export class Tools implements Hand {
  private current?: string;
  private keep = false;
  private places: (Snap & { via?: boolean })[] = [];
  private now?: Snap;
  private cursor?: Point; // moved by arrow keys; Enter clicks there
  private arc = false; // the next click is passed by an arc
  private onGround = false; // shapes on empty ground belong to it
  private typed = { length: '', angle: '', at: 'length' as 'length' | 'angle' }; // instead of a click
  private readonly buttons = new Map<string, HTMLElement>();
  private readonly grid = new Grid(byId('canvas'));

  constructor(private readonly studio: Studio) {
    for (const [name, tool] of Object.entries(tools)) {
      const button = make('button', { type: 'button', 'aria-pressed': 'false', 'aria-label': tool.title, title: `${tool.title} (${tool.key.toUpperCase()})` });
      const icon = svgElement('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' });
      icon.append(svgElement('path', { d: tool.icon }));
      button.append(icon);
      button.addEventListener('click', () => this.choose(name, false));
      button.addEventListener('dblclick', () => this.choose(name, true));
      this.buttons.set(name, button);
    }
    byId('tools').replaceChildren(...this.buttons.values());
    byId('on-ground').addEventListener('click', () => this.setOnGround(!this.onGround));
  }

  keys(): Record<string, () => unknown> {
    const out: Record<string, () => unknown> = {};
    for (const [name, tool] of Object.entries(tools)) out[tool.key] = () => this.choose(name, false);
    return out;
  }
  finishOr(other: () => unknown): void {
    if (this.current) this.finish();
    else other();
  }
  start(name: string): void {
    if (this.current !== name) this.choose(name, false);
  }

  private choose(name: string, keep: boolean): void {
    if (this.current === name && !keep) return void this.end();
    if (!this.studio.last?.elements) return toast('Correct the text first.');
    if (tools[name].ofBody && (!this.studio.selectedBody || this.studio.selectedBody === 'ground')) return toast('Select a body first.');
    this.studio.setMode('build');
    this.studio.results.play(false);
    this.studio.results.seek(0);
    this.current = name;
    this.keep = keep;
    this.setOnGround(false);
    this.begin();
    this.now = undefined;
    this.buttons.forEach((button, other) => button.setAttribute('aria-pressed', String(other === name)));
    this.studio.giveHand(this);
    this.studio.panel.setDrawing(() => this.preview());
    byId('canvas').focus({ preventScroll: true });
    this.hint();
  }
  private begin(): void {
    this.places = [];
    this.arc = false;
    this.cursor = undefined;
    this.typed = { length: '', angle: '', at: 'length' };
  }
  // Gives up what was begun, then the tool. False when there was nothing to end.
  end(): boolean {
    if (!this.current) return false;
    if (this.places.length > 0 || this.typed.length !== '') {
      this.begin();
      this.hint();
      this.studio.panel.redraw();
      return true;
    }
    this.current = undefined;
    this.buttons.forEach((button) => button.setAttribute('aria-pressed', 'false'));
    byId('hint').hidden = byId('on-ground').hidden = true;
    this.studio.panel.setDrawing(() => []);
    this.grid.hide();
    this.studio.giveHand();
    return true;
  }
  private hint(): void {
    const hints = tools[this.current!].hints;
    byId('hint').textContent = hints[Math.min(this.places.length, hints.length - 1)];
    byId('hint').hidden = false;
    byId('on-ground').hidden = !tools[this.current!].isShape || this.isOnBody(this.places[0]);
  }
  private setOnGround(on: boolean): void {
    this.onGround = on;
    byId('on-ground').setAttribute('aria-pressed', String(on));
    this.studio.panel.redraw();
  }
  private isOnBody(place: Snap | undefined): boolean {
    return place?.body !== undefined && place.body !== 'ground';
  }

  // ---- by keys: arrows move a cursor by steps of the grid, Enter clicks there
  private steer(key: string): boolean {
    const { panel } = this.studio;
    if (key === 'Enter' && this.cursor && this.now) {
      this.cursor = undefined;
      this.take(this.now);
      return true;
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
    if (!way) return false;
    const step = gridStep(this.studio),
      round = (v: number) => Math.round(v / step) * step,
      from = this.cursor ?? this.now?.at ?? panel.view.middle;
    this.cursor = { x: round(from.x) + way[0] * step, y: round(from.y) + way[1] * step };
    const body = panel.bodyAt(this.cursor);
    this.now = tools[this.current!].picksBodies ? { at: this.cursor, body } : snap(this.studio, this.cursor, { altKey: false }, body, '', this.places[this.places.length - 1]?.at);
    panel.redraw();
    return true;
  }
  // ---- typing while drawing: the length, after Tab the angle; Enter is the click
  type(key: string): boolean {
    if (!this.current) return false;
    if (this.typed.length === '' && this.typed.angle === '' && this.steer(key)) return true;
    if (tools[this.current].picksBodies) return false;
    if (key.toLowerCase() === 'x' && tools[this.current].isShape) {
      this.setOnGround(!this.onGround);
      return true;
    }
    if (this.current === 'polygon' && key.toLowerCase() === 'a' && this.typed.length === '' && this.places.length > 0 && !this.places[this.places.length - 1].via) {
      this.arc = !this.arc;
      byId('hint').textContent = this.arc ? 'Arc: click a place that it passes, then its end.' : tools.polygon.hints[0];
      return true;
    }
    if (this.places.length === 0 && this.current !== 'pattern') return false;
    const { typed } = this,
      begun = typed.length !== '' || typed.angle !== '';
    if (key === 'Tab' && this.places.length > 0) typed.at = typed.at === 'length' ? 'angle' : 'length';
    else if (key === 'Backspace' && begun) typed[typed.at] = typed[typed.at].slice(0, -1);
    else if (key === 'Enter' && begun && this.current !== 'pattern') this.clickTyped();
    else if (/^[\d.-]$/.test(key) || (begun && /^[a-z ]$/i.test(key))) typed[typed.at] += key;
    else return false;
    this.studio.panel.redraw();
    return true;
  }
  private clickTyped(): void {
    const before = this.places[this.places.length - 1].at,
      pointer = this.now?.at ?? { x: before.x + 1, y: before.y };
    const unit = lengthUnit(this.studio.elements),
      length = this.typed.length === '' ? Math.hypot(pointer.x - before.x, pointer.y - before.y) : lengthOf(this.typed.length, unit);
    const angle = this.typed.angle === '' ? Math.atan2(pointer.y - before.y, pointer.x - before.x) : (Number(this.typed.angle.replace(/\s*(deg|°)$/, '')) * Math.PI) / 180;
    if (!(length > 0) || !Number.isFinite(angle)) return toast('Type a length as "25 mm", and after Tab an angle in degrees.');
    this.typed = { length: '', angle: '', at: 'length' };
    this.take({ at: { x: before.x + length * Math.cos(angle), y: before.y + length * Math.sin(angle) }, body: this.now?.body });
  }

  down(g: Gesture): boolean {
    this.now = this.place(g);
    return true;
  }
  move(g: Gesture): void {
    this.hover(g);
  }
  hover(g: Gesture): void {
    this.cursor = undefined;
    this.now = this.place(g);
    this.studio.panel.redraw();
  }
  up(g: Gesture): void {
    this.take(this.place(g));
  }
  private take(place: Snap): void {
    const tool = tools[this.current!],
      first = this.places[0],
      last = this.places[this.places.length - 1];
    const closes = tool.clicks === 0 && this.places.length >= 3 && this.pixels(place.at, first.at) < 10;
    if (tool.clicks === 0 && last && this.pixels(place.at, last.at) < 1) return; // the same corner
    if (!closes) this.places.push({ ...place, via: this.arc && !last?.via });
    if (this.arc && last?.via) this.arc = false; // its end was clicked
    if (closes || this.places.length === tool.clicks) this.finish();
    else {
      this.hint();
      this.studio.panel.redraw();
    }
  }
  private place(g: Gesture): Snap {
    if (tools[this.current!].picksBodies) return { at: g.at, body: g.body };
    const before = this.places[this.places.length - 1];
    const found = snap(this.studio, g.at, g.event, g.body, '', before?.at);
    return g.event.shiftKey && before && !found.point ? { at: held(before.at, g.at), body: g.body } : found;
  }
  private pixels(a: Point, b: Point): number {
    return Math.hypot(a.x - b.x, a.y - b.y) * this.studio.panel.view.pixelsPerMetre;
  }

  private finish(): void {
    if (!this.current) return;
    const { places, current } = this;
    const tool = tools[current];
    if (places.length < Math.max(tool.clicks, tool.clicks === 0 ? 3 : 1)) return;
    if (tool.clicks === 0 && new Set(places.map((p) => `${p.at.x} ${p.at.y}`)).size < 3) return toast('A profile needs three different corners: zoom in, or hold Alt to leave the grid.');
    const count = Math.round(Number(this.typed.length || 6));
    this.begin();
    const copying = tool.ofBody ? new Copying(this.studio) : undefined,
      drawing = copying ? undefined : new Drawing(this.studio);
    const made = copying ? this.copy(copying, current, places, count) : this.draw(drawing!, current, places),
      { edits } = copying ?? drawing!;
    if (!this.keep) this.end();
    else this.hint();
    if (made !== undefined && edits.length > 0) void this.studio.edit(edits, made).then((done) => done && showTabBeside('properties'));
  }
  private copy(copying: Copying, tool: string, [a, b]: Snap[], count: number): string | undefined {
    const body = this.studio.selectedBody!;
    if (tool === 'copy') return copying.beside(body, { x: b.at.x - a.at.x, y: b.at.y - a.at.y });
    if (tool === 'mirror') return copying.mirrored(body, a.at, b.at);
    if (!(count >= 2 && count <= 100)) return void toast('A pattern has from 2 to 100 bodies.');
    return copying.around(body, a.at, count);
  }
  private draw(drawing: Drawing, tool: string, places: Snap[]): string | undefined {
    const [a, b, c] = places;
    if (b && tool !== 'contact' && tool !== 'polygon' && tool !== 'slot' && this.pixels(a.at, b.at) < 4) return void toast('Both clicks met the same place: zoom in first.');
    switch (tool) {
      case 'link': return drawing.link(a, b);
      case 'pin': return drawing.support(a);
      case 'guide': return drawing.guide(a, b.at);
      case 'spring': return drawing.spring(a, b);
      case 'weight': return drawing.weight(a.body ?? 'ground');
      case 'slot': return drawing.slot(a, b, c.at);
      case 'damper': return drawing.damper(a, b);
      case 'gear': return drawing.gear(a, b, c.at);
      case 'rack': return drawing.rack(a, b);
      case 'spline': return drawing.spline(places, this.onGround);
      case 'polygon': return drawing.chain(places, this.onGround);
      case 'circle': return drawing.circle(a, Math.hypot(b.at.x - a.at.x, b.at.y - a.at.y), this.onGround);
      case 'motor': {
        const joint = this.jointAt(a);
        return joint ? drawing.motor(joint) : void toast('There is no pin here. Motors turn pins.');
      }
      case 'contact': {
        const [one, other] = [this.profileOf(a), this.profileOf(b)];
        if (!one || !other || (a.body ?? 'ground') === (b.body ?? 'ground')) return void toast('A contact needs two bodies with a profile each. Draw profiles first.');
        return drawing.contact(one, other);
      }
    }
    return undefined;
  }
  // The pin at a point: a revolute joint that has it as one of its places.
  private jointAt(at: Snap): ModelElement | undefined {
    const { studio } = this,
      points = studio.last?.points ?? [];
    return studio.elements.find((e) => {
      if (e.section !== 'joint' || e.type !== 'revolute') return false;
      return e.fields!.some((f) => {
        const [body, name] = (f.text ?? '').split('.');
        if (f.key !== 'a' && f.key !== 'b') return false;
        const p = points.find((q) => q.body === body && q.name === name) ?? { x: 0, y: 0 };
        const index = studio.panel.bodyIndex(body);
        return index >= 0 && this.pixels(studio.panel.groundPlace(index, p.x, p.y), at.at) < 12;
      });
    });
  }
  // Of the profiles of the body the one whose outline passes nearest.
  private profileOf(at: Snap): ModelElement | undefined {
    const { elements, panel } = this.studio,
      body = at.body ?? 'ground',
      place = panel.bodyPlace(panel.bodyIndex(body), at.at);
    const distance = (profile: ModelElement) => Math.min(...curvesOfProfile(profile, elements).map((curve) => {
      const near = nearestOn(curve, place);
      return near ? Math.hypot(near.x - place.x, near.y - place.y) : Infinity;
    }));
    const own = elements.filter((e) => e.section === 'profile' && e.fields?.some((f) => f.key === 'body' && f.text === body));
    return own.length < 2 ? own[0] : own.map((profile) => ({ profile, d: distance(profile) })).sort((a, b) => a.d - b.d || 0)[0].profile;
  }

  // ---- what is shown before the click
  private preview(): SVGElement[] {
    const out: SVGElement[] = [],
      { view } = this.studio.panel;
    if (tools[this.current!].picksBodies) this.grid.hide();
    else this.grid.draw(view, lengthUnit(this.studio.elements), gridStep(this.studio));
    const all = [...this.places, ...(this.now ? [this.now] : [])],
      seen = all.map((p) => view.toScreen(p.at));
    const first = seen[0],
      last = seen[seen.length - 1];
    if (this.now) out.push(svgElement('circle', { class: 'snap', cx: last.x, cy: last.y, r: this.now.point ? 9 : this.now.what === 'grid' ? 4 : 7 }));
    if (all.length >= 2 && this.current !== 'contact') {
      if (this.current === 'circle') out.push(svgElement('circle', { class: 'preview', cx: first.x, cy: first.y, r: Math.hypot(last.x - first.x, last.y - first.y) }));
      else out.push(svgElement('path', { class: 'preview', d: 'M' + seen.map((p) => `${p.x} ${p.y}`).join('L') }));
    }
    const words = this.words(all);
    if (this.now && words) {
      const room = byId('canvas').clientWidth - letter * words.length - 8,
        note = svgElement('text', { class: 'note', x: Math.max(4, Math.min(last.x + 12, room)), y: last.y - 10 });
      note.textContent = words;
      out.push(note);
    }
    return out;
  }
  // In the unit of the file, as fine as a pixel.
  private placeText(at: Point): string {
    const unit = lengthUnit(this.studio.elements),
      step = 10 ** Math.floor(-Math.log10(this.studio.panel.view.pixelsPerMetre));
    return `${lengthIn(at.x, unit, step)}, ${lengthIn(at.y, unit, step)} ${unit}`;
  }
  // What a click here would mean.
  private words(all: Snap[]): string {
    const { typed, now } = this,
      out: string[] = [],
      picksPlaces = !tools[this.current!].picksBodies;
    if (typed.length || typed.angle || typed.at === 'angle') out.push(`${typed.length || '…'}${typed.at === 'angle' ? ` ∠ ${typed.angle}°` : ''}`);
    else if (now && picksPlaces) out.push(this.placeText(now.at));
    if (all.length >= 2 && picksPlaces) {
      const [a, b] = all.slice(-2).map((p) => p.at);
      out.push(`${this.current === 'circle' ? 'radius' : 'length'} ${lengthText(Math.hypot(b.x - a.x, b.y - a.y))}`);
    }
    const [first] = all;
    if (first && tools[this.current!].isShape) out.push(this.isOnBody(first) ? `on ${first.body}` : this.onGround ? 'part of the ground' : 'a new body');
    const joins = now && (now.point || now.guide || (now.body !== undefined && now.body !== 'ground'));
    if (joins && this.current === 'link') out.push(joiningText(now));
    else if (now?.point) out.push(`${now.point.body}.${now.point.name}`);
    else if (now?.what && now.what !== 'grid') out.push(now.what);
    return out.join(' · ');
  }
}
