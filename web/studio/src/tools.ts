// The drawing tools: what clicks mean, and what is shown before them. A tool returns to selection
// after one use; a double click on its button keeps it.
import { svgElement } from '../../stage/stage';
import { byId, make, toast } from './dom';
import { Drawing } from './drawing';
import { ModelElement } from './protocol';
import { held, snap, Snap } from './snapping';
import { Gesture, Hand, lengthText } from './stage_panel';
import type { Studio } from './studio';
import { Point } from './view';

interface Tool {
  key: string;
  title: string;
  icon: string; // path in a box of 24
  hints: string[]; // before each click
  clicks: number; // 0: until the first place is met again, or Enter
  picksBodies?: boolean; // not places
}
const tools: Record<string, Tool> = {
  link: { key: 'l', title: 'Link', icon: 'M5 19L19 5M5 19m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M19 5m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0', hints: ['Link: click where it begins; on a point it is pinned there.', 'Click where it ends. Shift holds 15°.'], clicks: 2 },
  pin: { key: 'g', title: 'Pin to ground', icon: 'M12 8m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0M10.5 10.5L6 18h12l-4.5-7.5M4 21h16', hints: ['Pin to ground: click a point of a body, a body, or an empty place.'], clicks: 1 },
  guide: { key: 'u', title: 'Guide', icon: 'M3 9h18M3 15h18M9 12h6', hints: ['Guide: click the point that slides.', 'Click the direction.'], clicks: 2 },
  motor: { key: 'o', title: 'Motor', icon: 'M12 12m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0M8 15V9l4 5 4-5v6', hints: ['Motor: click a pin.'], clicks: 1 },
  spring: { key: 's', title: 'Spring', icon: 'M2 12h4l2-5 4 10 4-10 2 5h4', hints: ['Spring: click one end.', 'Click the other end.'], clicks: 2 },
  weight: { key: 'w', title: 'Weight', icon: 'M12 3v14M7 12l5 6 5-6M5 21h14', hints: ['Weight: click a body. It gets a mass, and everything falls.'], clicks: 1, picksBodies: true },
  polygon: { key: 'f', title: 'Profile', icon: 'M5 19L4 8l9-4 7 8-5 8z', hints: ['Profile: click the corners; the first one again, or Enter, closes it.'], clicks: 0 },
  circle: { key: 'c', title: 'Circle', icon: 'M12 12m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0M12 12h8', hints: ['Circle: click its centre, on a body or on empty ground for a new disc.', 'Click its rim.'], clicks: 2 },
  contact: { key: 'k', title: 'Contact', icon: 'M8.5 12m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M21 4v16', hints: ['Contact: click a body with a profile.', 'Click the other one.'], clicks: 2, picksBodies: true },
};

export class Tools implements Hand {
  private current?: string;
  private keep = false;
  private places: Snap[] = [];
  private now?: Snap;
  private readonly buttons = new Map<string, HTMLElement>();

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
  }

  keys(): Record<string, () => unknown> {
    const out: Record<string, () => unknown> = { Enter: () => this.finish() };
    for (const [name, tool] of Object.entries(tools)) out[tool.key] = () => this.choose(name, false);
    return out;
  }
  // Where a place is put by the same rules as for drawing.
  snapped(at: Point, event: PointerEvent, besides: string): Point {
    return snap(this.studio, at, event, undefined, besides).at;
  }

  private choose(name: string, keep: boolean): void {
    if (this.current === name && !keep) return void this.end();
    if (!this.studio.last?.elements) return toast('Correct the text first.');
    this.studio.setMode('build');
    this.studio.results.play(false);
    this.studio.results.seek(0);
    this.current = name;
    this.keep = keep;
    this.places = [];
    this.now = undefined;
    this.buttons.forEach((button, other) => button.setAttribute('aria-pressed', String(other === name)));
    this.studio.giveHand(this);
    this.studio.panel.setDrawing(() => this.preview());
    this.hint();
  }
  // Gives up what was begun, then the tool. False when there was nothing to end.
  end(): boolean {
    if (!this.current) return false;
    if (this.places.length > 0) {
      this.places = [];
      this.hint();
      this.studio.panel.redraw();
      return true;
    }
    this.current = undefined;
    this.buttons.forEach((button) => button.setAttribute('aria-pressed', 'false'));
    byId('hint').hidden = true;
    this.studio.panel.setDrawing(() => []);
    this.studio.giveHand();
    return true;
  }
  private hint(): void {
    const hints = tools[this.current!].hints;
    byId('hint').textContent = hints[Math.min(this.places.length, hints.length - 1)];
    byId('hint').hidden = false;
  }

  down(g: Gesture): boolean {
    this.now = this.place(g);
    return true;
  }
  move(g: Gesture): void {
    this.hover(g);
  }
  hover(g: Gesture): void {
    this.now = this.place(g);
    this.studio.panel.redraw();
  }
  up(g: Gesture): void {
    const tool = tools[this.current!];
    const place = this.place(g),
      first = this.places[0];
    const closes = tool.clicks === 0 && this.places.length >= 3 && this.pixels(place.at, first.at) < 10;
    if (!closes) this.places.push(place);
    if (closes || this.places.length === tool.clicks) this.finish();
    else {
      this.hint();
      this.studio.panel.redraw();
    }
  }
  private place(g: Gesture): Snap {
    if (tools[this.current!].picksBodies) return { at: g.at, body: g.body };
    const found = snap(this.studio, g.at, g.event, g.body),
      before = this.places[this.places.length - 1];
    return g.event.shiftKey && before && !found.point ? { ...found, at: held(before.at, g.at) } : found;
  }
  private pixels(a: Point, b: Point): number {
    return Math.hypot(a.x - b.x, a.y - b.y) * this.studio.panel.view.pixelsPerMetre;
  }

  private finish(): void {
    if (!this.current) return;
    const { places, current } = this;
    const tool = tools[current];
    if (places.length < Math.max(tool.clicks, tool.clicks === 0 ? 3 : 1)) return;
    this.places = [];
    const drawing = new Drawing(this.studio),
      made = this.draw(drawing, current, places);
    if (!this.keep) this.end();
    else this.hint();
    if (made !== undefined && drawing.edits.length > 0) void this.studio.edit(drawing.edits, made);
  }
  private draw(drawing: Drawing, tool: string, places: Snap[]): string | undefined {
    const [a, b] = places;
    if (b && tool !== 'contact' && tool !== 'polygon' && this.pixels(a.at, b.at) < 4) return void toast('Both ends are at the same place.');
    switch (tool) {
      case 'link': return drawing.link(a, b);
      case 'pin': return drawing.support(a);
      case 'guide': return drawing.guide(a, b.at);
      case 'spring': return drawing.spring(a, b);
      case 'weight': return drawing.weight(a.body ?? 'ground');
      case 'polygon': return drawing.polygon(places.map((p) => p.at), a.body);
      case 'circle': return drawing.circle(a, Math.hypot(b.at.x - a.at.x, b.at.y - a.at.y));
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
  private profileOf(at: Snap): ModelElement | undefined {
    const body = at.body ?? 'ground';
    return this.studio.elements.find((e) => e.section === 'profile' && e.fields?.some((f) => f.key === 'body' && f.text === body));
  }

  // ---- what is shown before the click
  private preview(): SVGElement[] {
    const out: SVGElement[] = [],
      { view } = this.studio.panel;
    const all = [...this.places, ...(this.now ? [this.now] : [])],
      seen = all.map((p) => view.toScreen(p.at));
    const first = seen[0],
      last = seen[seen.length - 1];
    if (this.now) out.push(svgElement('circle', { class: 'snap', cx: last.x, cy: last.y, r: this.now.point ? 9 : 4 }));
    if (all.length >= 2 && this.current !== 'contact') {
      const length = Math.hypot(all[all.length - 1].at.x - all[all.length - 2].at.x, all[all.length - 1].at.y - all[all.length - 2].at.y);
      if (this.current === 'circle') out.push(svgElement('circle', { class: 'preview', cx: first.x, cy: first.y, r: Math.hypot(last.x - first.x, last.y - first.y) }));
      else out.push(svgElement('path', { class: 'preview', d: 'M' + seen.map((p) => `${p.x} ${p.y}`).join('L') }));
      const note = svgElement('text', { class: 'note', x: last.x + 12, y: last.y - 10 });
      note.textContent = lengthText(length) + (this.now?.point ? ` · pin to ${this.now.point.body}.${this.now.point.name}` : '');
      out.push(note);
    } else if (this.now?.point) {
      const note = svgElement('text', { class: 'note', x: last.x + 12, y: last.y - 10 });
      note.textContent = `${this.now.point.body}.${this.now.point.name}`;
      out.push(note);
    }
    return out;
  }
}
