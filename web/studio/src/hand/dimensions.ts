// Dimensions on the stage: lengths between the points of the selected body, lengths and radii of the
// curves of the selected profile. A click on one edits it; the second end moves along the line.
import { svgElement } from '../../../stage/stage';
import { Point } from '../../../stage/view';
import { Edit } from '../engine/protocol';
import { byId, make, toast } from '../page/dom';
import type { Studio } from '../studio';
import { curvesOfProfile } from './curves';
import { pointHandle, wayOfRadius, waysOfPlace } from './handles';
import { editsOf, lengthIn, lengthOf, lengthUnit } from './quantities';

const mostPoints = 6; // of a body: more would cover it
const finest = 1e-7, // m
  digits = 4,
  letter = 7, // px
  line4 = 5, // px: a third of a line of text
  gap = 5; // px

interface Dimension {
  body: number;
  from: Point; // body axes, m
  to: Point;
  isRadius?: boolean;
  isOutline?: boolean; // of a profile
  edits: (length: number) => Edit[];
}

export class Dimensions {
  shown = true;
  private list: Dimension[] = [];

  constructor(private readonly studio: Studio) {}

  refresh(): void {
    const { studio } = this;
    this.list = this.shown && !studio.panel.view.held && studio.mode === 'build' && studio.results.time === 0 && studio.last?.motion ? [...this.ofBody(), ...this.ofProfile()] : [];
  }
  private ofBody(): Dimension[] {
    const { studio } = this,
      body = studio.selectedBody,
      points = (studio.last?.points ?? []).filter((p) => p.body === body);
    if (!body || points.length < 2 || points.length > mostPoints) return [];
    const known = { elements: studio.elements, bodyIndex: (name: string) => studio.panel.bodyIndex(name) };
    return points.slice(1).map((p, i) => {
      const from = points[i],
        handle = pointHandle(known, p.body, p.name, p.x, p.y);
      return { body: studio.panel.bodyIndex(body), from, to: p, edits: (length) => (handle.locked ? [] : handle.edits(along(from, p, length), finest)) };
    });
  }
  private ofProfile(): Dimension[] {
    const { studio } = this,
      profile = studio.element(studio.selected);
    if (profile?.section !== 'profile') return [];
    return curvesOfProfile(profile, studio.elements).flatMap((curve): Dimension[] => {
      const body = studio.panel.bodyIndex(curve.body);
      if (curve.kind === 'line' && curve.paths[1]) {
        const [from, to] = curve.points;
        const edits = (length: number) => {
          const at = along(from, to, length);
          return editsOf(waysOfPlace(studio.elements, curve, curve.paths[1]), [at.x - curve.offset.x, at.y - curve.offset.y], [at.x - to.x, at.y - to.y], finest);
        };
        return [{ body, from, to, isOutline: true, edits }];
      }
      if (!curve.centre || !curve.radius) return [];
      const rim = { x: curve.centre.x + curve.radius * Math.SQRT1_2, y: curve.centre.y + curve.radius * Math.SQRT1_2 };
      const way = wayOfRadius(studio.elements, curve);
      return [{ body, from: curve.centre, to: rim, isRadius: true, edits: (length) => ('locked' in way ? [] : [way.edit(length, finest)]) }];
    });
  }

  draw(): SVGElement[] {
    const { panel } = this.studio,
      unit = lengthUnit(this.studio.elements);
    const words: { x: number; y: number; half: number }[] = []; // that are there
    return this.list.flatMap((d, i) => {
      const a = panel.view.toScreen(panel.groundPlace(d.body, d.from.x, d.from.y)),
        b = panel.view.toScreen(panel.groundPlace(d.body, d.to.x, d.to.y)),
        length = Math.hypot(b.x - a.x, b.y - a.y);
      if (length < 30) return [];
      // Above a link; outside of a profile, whose material is on the left of its way.
      const side = d.isOutline ? -1 : 1,
        n = { x: (side * (b.y - a.y)) / length, y: (-side * (b.x - a.x)) / length },
        off = d.isRadius ? 0 : 18;
      const [p, q] = [a, b].map((end) => ({ x: end.x + off * n.x, y: end.y + off * n.y }));
      const line = svgElement('path', { class: 'dimension', d: d.isRadius ? `M${p.x} ${p.y}L${q.x} ${q.y}` : `M${a.x} ${a.y}L${p.x + 4 * n.x} ${p.y + 4 * n.y}M${b.x} ${b.y}L${q.x + 4 * n.x} ${q.y + 4 * n.y}M${p.x} ${p.y}L${q.x} ${q.y}` });
      const value = Number(lengthIn(Math.hypot(d.to.x - d.from.x, d.to.y - d.from.y), unit, finest)),
        text = `${d.isRadius ? 'R ' : ''}${Number(value.toPrecision(digits))} ${unit}`,
        half = (letter * text.length) / 2;
      // Beside its line, not across it; nothing where another one stands.
      const at = { x: (p.x + q.x) / 2 + (gap + half * Math.abs(n.x)) * n.x, y: (p.y + q.y) / 2 + gap * n.y + line4 * (1 + n.y) };
      if (words.some((w) => Math.abs(w.y - at.y) < 3 * line4 && Math.abs(w.x - at.x) < w.half + half)) return [];
      words.push({ ...at, half });
      const label = svgElement('text', { class: 'measure', x: at.x, y: at.y, 'text-anchor': 'middle', 'data-dimension': i });
      label.textContent = text;
      return [line, label];
    });
  }
  // A click on the text of a dimension opens a field in its place.
  edit(index: number, at: Point): void {
    const dimension = this.list[index];
    if (!dimension) return;
    const unit = lengthUnit(this.studio.elements),
      field = make('input', { type: 'text', class: 'dimension-field', 'aria-label': 'Length', value: `${lengthIn(Math.hypot(dimension.to.x - dimension.from.x, dimension.to.y - dimension.from.y), unit, 1e-6)} ${unit}` });
    field.style.left = `${at.x}px`;
    field.style.top = `${at.y}px`;
    byId('stage').append(field);
    field.select();
    const close = (write: boolean) => {
      field.onblur = null;
      field.remove();
      byId('canvas').focus({ preventScroll: true });
      const length = lengthOf(field.value, unit);
      if (!write) return;
      if (!(length > 0)) return toast('A length is a positive number, as "25 mm".');
      const edits = dimension.edits(length);
      if (edits.length > 0) void this.studio.edit(edits);
      else toast('This length follows from an expression: change it in the text.');
    };
    field.onblur = () => close(false);
    field.addEventListener('keydown', (e) => {
      e.stopPropagation();
      if (e.key === 'Enter' || e.key === 'Escape') close(e.key === 'Enter');
    });
  }
}

function along(from: Point, to: Point, length: number): Point {
  const now = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) * length) / now, y: from.y + ((to.y - from.y) * length) / now };
}
