// Dimensions on the stage: lengths between the points of the selected body, lengths and radii of the
// curves of the selected profile. A click on one edits it; the second end moves along the line.
import { svgElement } from '../../../stage/stage';
import { Point } from '../../../stage/view';
import { Edit } from '../engine/protocol';
import { byId, make, toast } from '../page/dom';
import type { Studio } from '../studio';
import { curvesOfProfile } from './curves';
import { pointHandle } from './handles';
import { lengthIn, lengthOf, lengthUnit } from './quantities';

const mostPoints = 6; // of a body: more would cover it
const finest = 1e-7; // m

interface Dimension {
  body: number;
  from: Point; // body axes, m
  to: Point;
  isRadius?: boolean;
  edits: (length: number) => Edit[];
}

export class Dimensions {
  shown = true;
  private list: Dimension[] = [];

  constructor(private readonly studio: Studio) {}

  refresh(): void {
    const { studio } = this;
    this.list = this.shown && studio.mode === 'build' && studio.results.time === 0 && studio.last?.motion ? [...this.ofBody(), ...this.ofProfile()] : [];
  }
  private ofBody(): Dimension[] {
    const { studio } = this,
      body = studio.selectedBody,
      points = (studio.last?.points ?? []).filter((p) => p.body === body);
    if (!body || points.length < 2 || points.length > mostPoints) return [];
    const known = { elements: studio.elements, parameters: studio.last?.parameters ?? [], bodyIndex: (name: string) => studio.panel.bodyIndex(name) };
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
    const unit = lengthUnit(studio.elements);
    return curvesOfProfile(profile, studio.elements).flatMap((curve): Dimension[] => {
      const body = studio.panel.bodyIndex(curve.body);
      if (curve.kind === 'line' && curve.paths[1]) {
        const [from, to] = curve.points;
        const edits = (length: number) => {
          const at = along(from, to, length);
          return [at.x - curve.offset.x, at.y - curve.offset.y].map((v, i): Edit => ({ kind: 'set', path: `${curve.paths[1]}.${i}`, value: lengthIn(v, unit, finest) }));
        };
        return [{ body, from, to, edits }];
      }
      if (!curve.centre || !curve.radius) return [];
      const rim = { x: curve.centre.x + curve.radius * Math.SQRT1_2, y: curve.centre.y + curve.radius * Math.SQRT1_2 };
      return [{ body, from: curve.centre, to: rim, isRadius: true, edits: (length) => [{ kind: 'set', path: curve.radiusPath!, value: lengthIn(length, unit, finest) }] }];
    });
  }

  draw(): SVGElement[] {
    const { panel } = this.studio,
      unit = lengthUnit(this.studio.elements);
    return this.list.flatMap((d, i) => {
      const a = panel.view.toScreen(panel.groundPlace(d.body, d.from.x, d.from.y)),
        b = panel.view.toScreen(panel.groundPlace(d.body, d.to.x, d.to.y)),
        length = Math.hypot(b.x - a.x, b.y - a.y);
      if (length < 30) return [];
      // Beside the part, towards the outside of the picture.
      const n = { x: (b.y - a.y) / length, y: -(b.x - a.x) / length },
        off = d.isRadius ? 0 : 18;
      const [p, q] = [a, b].map((end) => ({ x: end.x + off * n.x, y: end.y + off * n.y }));
      const line = svgElement('path', { class: 'dimension', d: d.isRadius ? `M${p.x} ${p.y}L${q.x} ${q.y}` : `M${a.x} ${a.y}L${p.x + 4 * n.x} ${p.y + 4 * n.y}M${b.x} ${b.y}L${q.x + 4 * n.x} ${q.y + 4 * n.y}M${p.x} ${p.y}L${q.x} ${q.y}` });
      const words = svgElement('text', { class: 'measure', x: (p.x + q.x) / 2 + 6 * n.x, y: (p.y + q.y) / 2 + 6 * n.y, 'text-anchor': 'middle', 'data-dimension': i });
      words.textContent = `${d.isRadius ? 'R ' : ''}${lengthIn(Math.hypot(d.to.x - d.from.x, d.to.y - d.from.y), unit, 1e-6)} ${unit}`;
      return [line, words];
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
