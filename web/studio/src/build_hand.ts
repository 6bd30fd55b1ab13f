// Build: named points of the selected body have handles, and dragging one changes its coordinates in
// the text, as one step to undo.
import { svgElement } from '../../stage/stage';
import { byId, toast } from './dom';
import { lengthIn, lengthUnit, placeIn, wayToChange, Way } from './quantities';
import { Gesture, Hand, Handle } from './stage_panel';
import type { Studio } from './studio';
import { Point } from './view';

export class BuildHand implements Hand {
  private dragged?: { handle: Handle; ways: [Way, Way]; now: Point };

  constructor(private readonly studio: Studio) {}

  // Handles of what is selected.
  refresh(): void {
    const { studio } = this;
    const body = studio.selectedBody;
    const points = studio.mode === 'build' && studio.last?.points ? studio.last.points : [];
    const handles = studio.results.time === 0 ? points.filter((p) => p.body === body) : [];
    const corners = studio.results.time === 0 && studio.mode === 'build' ? this.corners() : [];
    studio.panel.setHandles(
      [...handles.map((p) => this.handle(p.body, p.name, p.x, p.y)), ...corners],
      points.filter((p) => p.body === 'ground'),
    );
  }
  private ways(body: string, name: string): [Way, Way] {
    const points = this.studio.element(`body.${body}`)?.fields?.find((f) => f.key === 'points');
    const items = points?.fields?.find((f) => f.key === name)?.items;
    const way = (i: number) => wayToChange(`body.${body}.points.${name}.${i}`, items?.[i], this.studio.elements, this.studio.last?.parameters ?? []);
    return [way(0), way(1)];
  }
  private waysOf(handle: Handle): [Way, Way] {
    const [section, body, , name] = handle.path.split('.');
    if (section === 'body') return this.ways(body, name);
    const way = (i: 0 | 1): Way => ({ edit: (value, step) => ({ kind: 'set', path: `${handle.path}.${i}`, value: lengthIn(value - (i === 0 ? handle.offset!.x : handle.offset!.y), lengthUnit(this.studio.elements), step) }) });
    return [way(0), way(1)];
  }
  private handle(body: string, name: string, x: number, y: number): Handle {
    const ways = this.ways(body, name);
    const locked = ways.every((w) => 'locked' in w) ? (ways[0] as { locked: string }).locked : undefined;
    return { path: `body.${body}.points.${name}`, body: this.studio.panel.bodyIndex(body), x, y, locked };
  }

  // The ends of lines of the selected profile that are written as plain numbers. Where a chain closes,
  // its first and last place are one.
  private corners(): Handle[] {
    const { studio } = this,
      profile = studio.selected.startsWith('profile.') ? studio.element(studio.selected) : undefined;
    const field = (key: string) => profile?.fields?.find((f) => f.key === key);
    const body = studio.panel.bodyIndex(field('body')?.text ?? 'ground');
    const unit = lengthUnit(studio.elements);
    const at = field('at') ? placeIn(field('at')!.items, unit) : { x: 0, y: 0 };
    if (!profile || body < 0 || !at || field('angle')) return [];
    const out: Handle[] = [],
      elements = field('elements')?.items ?? [];
    elements.forEach((element, i) => {
      if (element.fields?.find((f) => f.key === 'type')?.text !== 'line') return;
      for (const key of ['from', 'to']) {
        const place = placeIn(element.fields.find((f) => f.key === key)?.items, unit);
        if (!place) continue;
        const path = `${profile.path}.elements.${i}.${key}`,
          same = out.find((h) => Math.hypot(h.x - at.x - place.x, h.y - at.y - place.y) < 1e-9);
        if (same) same.also = path;
        else out.push({ path, body, x: at.x + place.x, y: at.y + place.y, offset: at });
      }
    });
    return out;
  }

  down(g: Gesture): boolean {
    if (!g.handle) return false;
    if (g.handle.locked) {
      toast(`${g.handle.path} cannot be dragged: ${g.handle.locked}.`);
      return true;
    }
    this.dragged = { handle: g.handle, ways: this.waysOf(g.handle), now: { x: g.handle.x, y: g.handle.y } };
    this.studio.panel.setDrawing(() => this.preview());
    return true;
  }
  move(g: Gesture): void {
    if (!this.dragged) return;
    const { handle, ways } = this.dragged;
    const at = this.studio.panel.bodyPlace(handle.body, this.studio.tools.snapped(g.at, g.event, handle.path));
    this.dragged.now = { x: 'locked' in ways[0] ? handle.x : at.x, y: 'locked' in ways[1] ? handle.y : at.y };
    this.studio.panel.redraw();
  }
  up(): void {
    const { dragged } = this;
    this.dragged = undefined;
    this.studio.panel.setDrawing(() => []);
    byId('hint').hidden = true;
    if (!dragged) return;
    const { handle, ways, now } = dragged,
      step = this.step;
    const edits = [now.x - handle.x, now.y - handle.y].flatMap((change, i) => {
      const way = ways[i];
      if (Math.abs(change) < step / 2 || 'locked' in way) return [];
      const edit = way.edit(i === 0 ? now.x : now.y, step);
      return handle.also ? [edit, { ...edit, path: `${handle.also}.${i}` }] : [edit];
    });
    if (edits.length > 0) void this.studio.edit(edits);
  }
  hover(): void {}

  // What a pixel resolves, as a power of ten.
  get step(): number {
    return 10 ** Math.floor(Math.log10(1 / this.studio.panel.view.pixelsPerMetre));
  }
  private preview(): SVGElement[] {
    if (!this.dragged) return [];
    const { handle, now } = this.dragged,
      { panel } = this.studio;
    const p = panel.view.toScreen(panel.groundPlace(handle.body, now.x, now.y)),
      origin = panel.view.toScreen(panel.groundPlace(handle.body, handle.x, handle.y));
    const unit = lengthUnit(this.studio.elements);
    const text = svgElement('text', { class: 'note', x: p.x + 12, y: p.y - 10 });
    text.textContent = `${lengthIn(now.x, unit, this.step)}, ${lengthIn(now.y, unit, this.step)} ${unit}`;
    return [svgElement('line', { class: 'rubber', x1: origin.x, y1: origin.y, x2: p.x, y2: p.y }), svgElement('circle', { class: 'snap', cx: p.x, cy: p.y, r: 8 }), text];
  }
}
