// Build: what is selected has handles, and dragging one changes its numbers in the text, as one step
// to undo. A point dropped on a point of another body is pinned to it; on a body it becomes part of it.
import { svgElement } from '../../../stage/stage';
import { Point } from '../../../stage/view';
import { byId, toast } from '../page/dom';
import { Gesture, Hand } from '../panels/stage_panel';
import type { Studio } from '../studio';
import { Drawing } from './drawing';
import { curveHandles, Handle, pointHandle } from './handles';
import { lengthIn, lengthUnit } from './quantities';
import { gridStep, joiningText, snap, Snap } from './snapping';

export class BuildHand implements Hand {
  private dragged?: { handle: Handle; now: Point; on?: Snap };

  constructor(private readonly studio: Studio) {}

  // Handles of what is selected; at the start only, where the text says where things are.
  refresh(): void {
    const { studio } = this,
      atStart = studio.mode === 'build' && studio.results.time === 0;
    const points = studio.mode === 'build' && studio.last?.points ? studio.last.points : [];
    studio.panel.setHandles(
      atStart ? this.handles() : [],
      points.filter((p) => p.body === 'ground'),
    );
  }
  private handles(): Handle[] {
    const { studio } = this,
      body = studio.selectedBody,
      profile = studio.element(studio.selected);
    const known = { elements: studio.elements, parameters: studio.last?.parameters ?? [], bodyIndex: (name: string) => studio.panel.bodyIndex(name) };
    const points = (studio.last?.points ?? []).filter((p) => p.body === body).map((p) => pointHandle(known, p.body, p.name, p.x, p.y));
    return profile?.section === 'profile' ? [...points, ...curveHandles(known, profile)] : points;
  }

  down(g: Gesture): boolean {
    if (!g.handle) return false;
    if (g.handle.locked) {
      toast(`${g.handle.path} cannot be dragged: ${g.handle.locked}.`);
      return true;
    }
    this.dragged = { handle: g.handle, now: { x: g.handle.x, y: g.handle.y } };
    this.studio.panel.setDrawing(() => this.preview());
    return true;
  }
  move(g: Gesture): void {
    if (!this.dragged) return;
    const { handle } = this.dragged,
      { panel } = this.studio;
    const found = snap(this.studio, g.at, g.event, g.body, handle.path),
      at = panel.bodyPlace(handle.body, found.at);
    this.dragged.on = this.joinsTo(handle, found);
    this.dragged.now = { x: handle.free[0] ? at.x : handle.x, y: handle.free[1] ? at.y : handle.y };
    panel.redraw();
  }
  up(): void {
    const { dragged } = this;
    this.dragged = undefined;
    this.studio.panel.setDrawing(() => []);
    byId('hint').hidden = true;
    if (!dragged) return;
    const edits = dragged.handle.edits(dragged.now, this.step);
    if (dragged.on && edits.length > 0) {
      const drawing = new Drawing(this.studio),
        [, body, , name] = dragged.handle.path.split('.');
      drawing.join(dragged.on, `${body}.${name}`);
      edits.push(...drawing.edits);
    }
    if (edits.length > 0) void this.studio.edit(edits);
  }
  hover(): void {}

  // What a point would be joined to if it were dropped here: another body, unless they are joined
  // already.
  private joinsTo(handle: Handle, found: Snap): Snap | undefined {
    const [section, body, , name] = handle.path.split('.');
    if (section !== 'body' || found.body === undefined || found.body === body || (!found.point && !found.guide && found.body === 'ground')) return undefined;
    const place = `${body}.${name}`;
    const joined = this.studio.elements.some((e) => {
      if (e.section !== 'joint') return false;
      const ends = e.fields!.filter((f) => f.key === 'a' || f.key === 'b').map((f) => f.text ?? '');
      return ends.includes(place) && ends.some((end) => end.split('.')[0] === found.body);
    });
    return joined ? undefined : found;
  }

  // What a pixel resolves, as a power of ten.
  get step(): number {
    return 10 ** Math.floor(Math.log10(1 / this.studio.panel.view.pixelsPerMetre));
  }
  // By keys: the selected bodies by a step of the grid.
  nudge(dx: number, dy: number): boolean {
    const { studio } = this,
      grid = gridStep(studio.panel.view.pixelsPerMetre),
      unit = lengthUnit(studio.elements);
    const bodies = studio.selection.filter((p) => p.startsWith('body.') && p !== 'body.ground').map((p) => p.slice(5));
    if (bodies.length === 0 || studio.mode !== 'build' || !studio.panel.stage) return false;
    const edits = bodies.map((body) => {
      const pose = studio.panel.stage!.poseOf(studio.panel.bodyIndex(body));
      return { kind: 'set' as const, path: `body.${body}.position`, value: `[${lengthIn(pose.x + dx * grid, unit, grid / 100)}, ${lengthIn(pose.y + dy * grid, unit, grid / 100)}]` };
    });
    void studio.edit(edits);
    return true;
  }

  private preview(): SVGElement[] {
    if (!this.dragged) return [];
    const { handle, now, on } = this.dragged,
      { panel } = this.studio;
    const p = panel.view.toScreen(panel.groundPlace(handle.body, now.x, now.y)),
      origin = panel.view.toScreen(panel.groundPlace(handle.body, handle.x, handle.y));
    const unit = lengthUnit(this.studio.elements);
    const text = svgElement('text', { class: 'note', x: p.x + 12, y: p.y - 10 });
    const joins = on ? ` · ${joiningText(on)}` : '';
    text.textContent = `${lengthIn(now.x, unit, this.step)}, ${lengthIn(now.y, unit, this.step)} ${unit}${joins}`;
    return [svgElement('line', { class: 'rubber', x1: origin.x, y1: origin.y, x2: p.x, y2: p.y }), svgElement('circle', { class: 'snap', cx: p.x, cy: p.y, r: 8 }), text];
  }
}
