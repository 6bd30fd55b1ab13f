// Build: what is selected has handles, and dragging one changes its numbers in the text, as one step
// to undo, with the mechanism as it would be on the way; a selected body that no joint holds is moved. A point dropped on a point of another body is pinned to it; on a body it becomes part of it.
import { Pose, svgElement } from '../../../stage/stage';
import { Point } from '../../../stage/view';
import { byId, toast } from '../page/dom';
import { Gesture, Hand, inAxes } from '../panels/stage_panel';
import type { Studio } from '../studio';
import { Drawing } from './drawing';
import { curveHandles, Handle, pointHandle } from './handles';
import { Edit } from '../engine/protocol';
import { editsOf, lengthIn, lengthUnit, wayToChange, writtenAt } from './quantities';
import { gridStep, joiningText, snap, Snap } from './snapping';

export class BuildHand implements Hand {
  private dragged?: { handle: Handle; now: Point; pose: Pose; previewed: boolean; on?: Snap };
  private carried?: { bodies: string[]; from: Point; by: Point };

  constructor(private readonly studio: Studio) {}

  // Handles of what is selected; at the start only, where the text says where things are.
  refresh(): void {
    const { studio } = this,
      atStart = studio.mode === 'build' && studio.results.time === 0 && !this.dragged; // these are of the text as it is
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
    const known = { elements: studio.elements, bodyIndex: (name: string) => studio.panel.bodyIndex(name) };
    const points = (studio.last?.points ?? []).filter((p) => p.body === body).map((p) => pointHandle(known, p.body, p.name, p.x, p.y));
    return profile?.section === 'profile' ? [...points, ...curveHandles(known, profile)] : points;
  }

  down(g: Gesture): boolean {
    if (!g.handle) return this.carry(g);
    if (g.handle.locked) {
      toast(`${g.handle.path} cannot be dragged: ${g.handle.locked}.`);
      return true;
    }
    const pose = this.studio.panel.stage!.poseOf(g.handle.body);
    this.dragged = { handle: g.handle, now: { x: g.handle.x, y: g.handle.y }, pose, previewed: false };
    this.studio.panel.view.held = true;
    this.studio.panel.setDrawing(() => this.preview());
    return true;
  }
  // Takes the selected bodies, where nothing but each other holds them.
  private carry(g: Gesture): boolean {
    const { studio } = this,
      bodies = studio.selection.filter((p) => p.startsWith('body.') && p !== 'body.ground').map((p) => p.slice(5));
    if (!g.body || !bodies.includes(g.body) || g.event.shiftKey || studio.results.time !== 0) return false;
    const isHeld = studio.elements.some((e) => {
      if (e.section !== 'joint' && e.section !== 'coupling') return false;
      const ends = e.fields!.filter((f) => f.key === 'a' || f.key === 'b').map((f) => (f.text ?? f.fields?.find((o) => o.key === 'body')?.text ?? '').split('.')[0]);
      return ends.some((end) => bodies.includes(end)) && !ends.every((end) => bodies.includes(end));
    });
    if (isHeld) return false;
    this.carried = { bodies, from: g.at, by: { x: 0, y: 0 } };
    return true;
  }
  private carryTo(g: Gesture): void {
    const { panel } = this.studio,
      { bodies, from } = this.carried!,
      grid = g.event.altKey ? this.step : gridStep(this.studio),
      round = (v: number) => Math.round(v / grid) * grid,
      before = this.carried!.by,
      by = { x: round(g.at.x - from.x), y: round(g.at.y - from.y) };
    this.carried!.by = by;
    const poses = panel.allBodies.map((name, i) => {
      const { x, y, angle } = panel.stage!.poseOf(i + 1);
      return bodies.includes(name) ? { x: x + by.x - before.x, y: y + by.y - before.y, angle } : { x, y, angle };
    });
    panel.stage!.placeBodies(poses);
    panel.redraw();
  }
  private drop(): void {
    const { bodies, by } = this.carried!;
    this.carried = undefined;
    if (by.x === 0 && by.y === 0) return;
    void this.studio.edit(bodies.flatMap((body) => this.moved(body, { x: 0, y: 0 }, this.step, by))).then((done) => done || this.studio.results.seek(0));
  }
  move(g: Gesture): void {
    if (this.carried) return this.carryTo(g);
    if (!this.dragged) return;
    const { handle, pose } = this.dragged,
      { panel } = this.studio;
    // In the axes as they were: the body may turn when its point moves.
    const found = snap(this.studio, g.at, g.event, g.body, handle.path),
      at = inAxes(pose, found.at);
    this.dragged.on = this.joinsTo(handle, found);
    this.dragged.now = { x: handle.free[0] ? at.x : handle.x, y: handle.free[1] ? at.y : handle.y };
    const edits = handle.edits(this.dragged.now, this.step);
    if (edits.length > 0 || this.dragged.previewed) void this.studio.preview.show(edits);
    this.dragged.previewed ||= edits.length > 0;
    panel.redraw();
  }
  up(): void {
    this.studio.panel.view.held = false;
    if (this.carried) return this.drop();
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
    else if (dragged.previewed) {
      this.studio.preview.end();
      void this.studio.read(true);
    }
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
      grid = gridStep(studio);
    const bodies = studio.selection.filter((p) => p.startsWith('body.') && p !== 'body.ground').map((p) => p.slice(5));
    if (bodies.length === 0 || studio.mode !== 'build' || !studio.panel.stage) return false;
    void studio.edit(bodies.flatMap((body) => this.moved(body, { x: dx * grid, y: dy * grid }, grid / 100)));
    return true;
  }

  // A body by so much from where it is shown; `change`: from where the text has it.
  private moved(body: string, by: Point, step: number, change = by): Edit[] {
    const { studio } = this,
      path = `body.${body}.position`,
      element = studio.element('body.' + body),
      unit = lengthUnit(studio.elements),
      pose = studio.panel.stage!.poseOf(studio.panel.bodyIndex(body)),
      to = { x: pose.x + by.x, y: pose.y + by.y };
    if (!writtenAt(element, path)) return [{ kind: 'set', path, value: `[${lengthIn(to.x, unit, step)}, ${lengthIn(to.y, unit, step)}]` }];
    const ways = [0, 1].map((i) => wayToChange(`${path}.${i}`, writtenAt(element, `${path}.${i}`), studio.elements)),
      locked = ways.find((way, i) => 'locked' in way && [change.x, change.y][i] !== 0);
    if (locked && 'locked' in locked) toast(`${body} cannot be moved there: ${locked.locked}.`);
    return editsOf(ways, [to.x, to.y], [change.x, change.y], step);
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
