// Build: named points of the selected body have handles, and dragging one changes its coordinates in
// the text, as one step to undo.
import { svgElement } from '../../stage/stage';
import { byId, toast } from './dom';
import { lengthIn, lengthUnit, wayToChange, Way } from './quantities';
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
    studio.panel.setHandles(
      handles.map((p) => this.handle(p.body, p.name, p.x, p.y)),
      points.filter((p) => p.body === 'ground'),
    );
  }
  private ways(body: string, name: string): [Way, Way] {
    const points = this.studio.element(`body.${body}`)?.fields?.find((f) => f.key === 'points');
    const items = points?.fields?.find((f) => f.key === name)?.items;
    const way = (i: number) => wayToChange(`body.${body}.points.${name}.${i}`, items?.[i], this.studio.elements, this.studio.last?.parameters ?? []);
    return [way(0), way(1)];
  }
  private handle(body: string, name: string, x: number, y: number): Handle {
    const ways = this.ways(body, name);
    const locked = ways.every((w) => 'locked' in w) ? (ways[0] as { locked: string }).locked : undefined;
    return { path: `body.${body}.points.${name}`, body: this.studio.panel.bodyIndex(body), x, y, locked };
  }

  down(g: Gesture): boolean {
    if (!g.handle) return false;
    if (g.handle.locked) {
      toast(`${g.handle.path} cannot be dragged: ${g.handle.locked}.`);
      return true;
    }
    const [, body, , name] = g.handle.path.split('.');
    this.dragged = { handle: g.handle, ways: this.ways(body, name), now: { x: g.handle.x, y: g.handle.y } };
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
      return Math.abs(change) < step / 2 || 'locked' in way ? [] : [way.edit(i === 0 ? now.x : now.y, step)];
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
