// The lines, arcs, circles and splines of profiles as far as they are written in numbers or
// expressions of parameters, in metres and body axes, with the places of the text where they stand. Knows the model format.
import { Point } from '../../../stage/view';
import { FieldOfElement, ModelElement, Written } from '../engine/protocol';
import { lengthIn1, lengthUnit, placeIn } from './quantities';

export interface Curve {
  profile: ModelElement;
  index: number; // of the element in its profile
  body: string;
  offset: Point; // of the profile's axes
  kind: 'line' | 'arc' | 'circle' | 'spline';
  points: Point[]; // ends of a line or an arc, points of a spline; of a circle none
  paths: string[]; // of these points in the text, '' where it follows from another number
  centre?: Point;
  centrePath?: string;
  radius?: number;
  radiusPath?: string;
  from?: number; // rad
  to?: number;
}

const field = (fields: FieldOfElement[] | undefined, key: string) => fields?.find((f) => f.key === key);
export const angleIn = (f: Written | undefined) => {
  if (f?.value !== undefined) return f.bare ? NaN : f.value;
  const quantity = /^([-+]?[\d.]+(?:e[-+]?\d+)?)\s*(deg|rad)?$/i.exec(f?.text ?? f?.source ?? '');
  return quantity ? Number(quantity[1]) * (quantity[2] === 'deg' ? Math.PI / 180 : 1) : NaN;
};
const moved = (p: Point, by: Point): Point => ({ x: p.x + by.x, y: p.y + by.y });

export function curvesOf(elements: ModelElement[]): Curve[] {
  return elements.filter((e) => e.section === 'profile').flatMap((p) => curvesOfProfile(p, elements));
}
// Of a profile that is neither turned nor made from another one.
export function curvesOfProfile(profile: ModelElement, elements: ModelElement[]): Curve[] {
  const { fields } = profile,
    unit = lengthUnit(elements),
    body = field(fields, 'body')?.text;
  if (body === undefined || field(fields, 'angle') || field(fields, 'like') || field(fields, 'offset') || field(fields, 'pattern') || field(fields, 'mirror')) return [];
  const at = field(fields, 'at'),
    offset = at ? placeIn(at.items, unit) : { x: 0, y: 0 };
  if (!offset) return [];
  let end: { p: Point; path: string } | undefined; // of the element before
  const out: Curve[] = [];
  (field(fields, 'elements')?.items ?? []).forEach((item, index) => {
    const path = `${profile.path}.elements.${index}`,
      base = { profile, index, body, offset };
    const place = (key: string) => placeIn(field(item.fields, key)?.items, unit);
    const type = field(item.fields, 'type')?.text;
    const before = end;
    end = undefined;
    if (type === 'line') {
      const from = place('from'),
        to = place('to');
      const start = from ? { p: moved(from, offset), path: path + '.from' } : before;
      if (!to) return;
      end = { p: moved(to, offset), path: path + '.to' };
      if (start) out.push({ ...base, kind: 'line', points: [start.p, end.p], paths: [start.path, end.path] });
    } else if (type === 'circle' || type === 'arc') {
      const given = field(item.fields, 'centre'),
        centre = given ? place('centre') : { x: 0, y: 0 },
        radius = lengthIn1(field(item.fields, 'radius'), unit);
      if (!centre || !Number.isFinite(radius)) return;
      const middle = moved(centre, offset),
        round = { ...base, centre: middle, centrePath: given ? path + '.centre' : '', radius, radiusPath: path + '.radius' };
      if (type === 'circle') return void out.push({ ...round, kind: 'circle', points: [], paths: [] });
      const from = angleIn(field(item.fields, 'from')),
        to = angleIn(field(item.fields, 'to'));
      if (!Number.isFinite(from + to)) return;
      const on = (angle: number) => ({ x: middle.x + radius * Math.cos(angle), y: middle.y + radius * Math.sin(angle) });
      out.push({ ...round, kind: 'arc', from, to, points: [on(from), on(to)], paths: ['', ''] });
      end = { p: on(to), path: '' };
    } else if (type === 'spline') {
      const points = (field(item.fields, 'points')?.items ?? []).map((p) => placeIn(p.items, unit));
      if (points.length < 2 || points.some((p) => !p)) return;
      out.push({ ...base, kind: 'spline', points: points.map((p) => moved(p!, offset)), paths: points.map((_, i) => `${path}.points.${i}`) });
    }
  });
  return out;
}

// The place of a curve that is nearest to p, in body axes; of splines their points alone.
export function nearestOn(curve: Curve, p: Point): Point | undefined {
  if (curve.kind === 'line') {
    const [a, b] = curve.points,
      d = { x: b.x - a.x, y: b.y - a.y },
      length = d.x * d.x + d.y * d.y;
    const s = length > 0 ? Math.min(1, Math.max(0, ((p.x - a.x) * d.x + (p.y - a.y) * d.y) / length)) : 0;
    return { x: a.x + s * d.x, y: a.y + s * d.y };
  }
  if (curve.centre && curve.radius) return onRim(curve, Math.atan2(p.y - curve.centre.y, p.x - curve.centre.x));
  return undefined;
}
// A place of the rim by its angle, where the curve has it.
function onRim(curve: Curve, angle: number): Point | undefined {
  const { centre, radius, from, to } = curve;
  if (from !== undefined && to !== undefined) {
    const [low, high] = from < to ? [from, to] : [to, from],
      turn = 2 * Math.PI;
    if (low + ((((angle - low) % turn) + turn) % turn) > high) return undefined;
  }
  return { x: centre!.x + radius! * Math.cos(angle), y: centre!.y + radius! * Math.sin(angle) };
}
// Where lines from `from` meet a curve at a right angle, and where they touch it.
export function perpendiculars(curve: Curve, from: Point): Point[] {
  if (curve.kind === 'line') {
    const foot = nearestOn(curve, from);
    return foot ? [foot] : [];
  }
  if (!curve.centre) return [];
  const angle = Math.atan2(from.y - curve.centre.y, from.x - curve.centre.x);
  return [onRim(curve, angle), onRim(curve, angle + Math.PI)].filter((p): p is Point => p !== undefined);
}
export function tangents(curve: Curve, from: Point): Point[] {
  if (!curve.centre || !curve.radius) return [];
  const dx = from.x - curve.centre.x,
    dy = from.y - curve.centre.y,
    distance = Math.hypot(dx, dy);
  if (distance <= curve.radius) return [];
  const angle = Math.atan2(dy, dx),
    half = Math.acos(curve.radius / distance);
  return [onRim(curve, angle + half), onRim(curve, angle - half)].filter((p): p is Point => p !== undefined);
}
