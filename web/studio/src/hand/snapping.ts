// Where a click lands: on a named point within reach, then on an end or a centre, then on a curve or a
// guide, where a line touches it or meets it at a right angle, then on the grid. Alt switches it off.
import { ModelElement } from '../engine/protocol';
import type { Studio } from '../studio';
import { Point } from '../../../stage/view';
import { gridPixels, lengthUnit, metresOf, roundUp } from './quantities';
import { angleIn, Curve, curvesOf, nearestOn, perpendiculars, tangents } from './curves';

export interface Snap {
  at: Point; // on the ground, m
  point?: { body: string; name: string };
  body?: string; // under the pointer
  guide?: ModelElement; // a straight guide: what is dropped there slides in it
  what?: 'guide' | 'end' | 'centre' | 'on curve' | 'tangent' | 'perpendicular' | 'grid';
}

const reach = 8, // px
  touchReach = 16;

// m; a round number in the unit of the file.
export function gridStep(studio: Studio): number {
  const unit = metresOf(lengthUnit(studio.elements));
  return unit * roundUp(gridPixels / studio.panel.view.pixelsPerMetre / unit);
}

// `before`: where a line begins, for tangents and perpendiculars; `besides`: a path that does not count.
export function snap(studio: Studio, at: Point, event: { altKey: boolean; pointerType?: string }, body?: string, besides = '', before?: Point): Snap {
  if (event.altKey) return { at, body };
  const near = event.pointerType === 'touch' ? touchReach : reach;
  const found = onPoint(studio, at, near, besides) ?? onCurve(studio, at, near, besides, before) ?? onGuide(studio, at, near, besides);
  if (found) return found;
  const step = gridStep(studio),
    round = (v: number) => Math.round(v / step) * step;
  return { at: { x: round(at.x), y: round(at.y) }, body, what: 'grid' };
}

function onPoint(studio: Studio, at: Point, near: number, besides: string): Snap | undefined {
  const { panel } = studio,
    here = panel.view.toScreen(at);
  let best: Snap | undefined,
    nearest = near;
  for (const p of studio.last?.points ?? []) {
    const index = panel.bodyIndex(p.body);
    if (index < 0 || `body.${p.body}.points.${p.name}` === besides) continue;
    const place = panel.groundPlace(index, p.x, p.y),
      seen = panel.view.toScreen(place);
    const distance = Math.hypot(seen.x - here.x, seen.y - here.y);
    // Of two at one place that of the body that moves: what is drawn is meant to move with it.
    if (distance > nearest || (best && distance > nearest - 0.01 && p.body === 'ground')) continue;
    nearest = distance;
    best = { at: place, point: { body: p.body, name: p.name }, body: p.body };
  }
  return best;
}

function onCurve(studio: Studio, at: Point, near: number, besides: string, before?: Point): Snap | undefined {
  const { panel } = studio,
    here = panel.view.toScreen(at);
  type Kind = NonNullable<Snap['what']>;
  let best: { snap: Snap; distance: number; rank: number } | undefined;
  const consider = (curve: Curve, what: Kind, rank: number, place: Point | undefined) => {
    if (!place) return;
    const ground = panel.groundPlace(panel.bodyIndex(curve.body), place.x, place.y),
      seen = panel.view.toScreen(ground),
      distance = Math.hypot(seen.x - here.x, seen.y - here.y);
    if (distance > near || (best && (rank > best.rank || (rank === best.rank && distance >= best.distance)))) return;
    best = { snap: { at: ground, body: curve.body, what }, distance, rank };
  };
  for (const curve of curvesOf(studio.elements)) {
    const index = panel.bodyIndex(curve.body);
    if (index < 0) continue;
    curve.points.forEach((p, i) => curve.paths[i] !== besides && consider(curve, 'end', 0, p));
    consider(curve, 'centre', 0, curve.centre);
    if (besides.startsWith(curve.profile.path + '.')) continue;
    if (before) {
      const from = panel.bodyPlace(index, before);
      for (const p of tangents(curve, from)) consider(curve, 'tangent', 1, p);
      for (const p of perpendiculars(curve, from)) consider(curve, 'perpendicular', 1, p);
    }
    consider(curve, 'on curve', 2, nearestOn(curve, panel.bodyPlace(index, at)));
  }
  return best?.snap;
}

// On the line of a slot or a guide, as far as it is drawn: a little beyond what slides in it.
function onGuide(studio: Studio, at: Point, near: number, besides: string): Snap | undefined {
  const { panel } = studio,
    scale = panel.view.pixelsPerMetre;
  for (const guide of studio.elements) {
    if (guide.section !== 'joint' || (guide.type !== 'slot' && guide.type !== 'prismatic')) continue;
    const ends = ['a', 'b'].map((key) => guideEnd(studio, guide, key)),
      axis = guide.fields?.find((f) => f.key === 'axis'),
      angle = axis ? angleIn(axis) : 0,
      [a, b] = ends;
    if (!a || !b || !Number.isFinite(angle) || `body.${b.body}.points.${b.name}` === besides) continue;
    const u = panel.stage!.poseOf(a.index).angle + angle,
      c = Math.cos(u),
      s = Math.sin(u),
      along = (p: Point) => c * (p.x - a.at.x) + s * (p.y - a.at.y),
      place = along(at),
      slider = along(b.at),
      beyond = 60 / scale;
    if (Math.abs(-s * (at.x - a.at.x) + c * (at.y - a.at.y)) * scale > near || place < Math.min(0, slider) - beyond || place > Math.max(0, slider) + beyond) continue;
    return { at: { x: a.at.x + place * c, y: a.at.y + place * s }, body: a.body, guide, what: 'guide' };
  }
  return undefined;
}
function guideEnd(studio: Studio, guide: ModelElement, key: string): { body: string; name: string; index: number; at: Point } | undefined {
  const [body, name] = (guide.fields?.find((f) => f.key === key)?.text ?? '').split('.'),
    index = studio.panel.bodyIndex(body);
  if (index < 0) return undefined;
  const p = name === undefined ? { x: 0, y: 0 } : studio.last?.points?.find((q) => q.body === body && q.name === name);
  return p && { body, name: name ?? '', index, at: studio.panel.groundPlace(index, p.x, p.y) };
}

// What a point that is dropped there becomes.
export function joiningText(on: Snap): string {
  return on.guide ? `slides in ${on.guide.name}` : on.point ? `pin to ${on.point.body}.${on.point.name}` : `becomes part of ${on.body}`;
}

// The end of a line from `start`, held to multiples of 15 degrees.
export function held(start: Point, end: Point): Point {
  const angle = Math.round(Math.atan2(end.y - start.y, end.x - start.x) / (Math.PI / 12)) * (Math.PI / 12),
    length = Math.hypot(end.x - start.x, end.y - start.y);
  return { x: start.x + length * Math.cos(angle), y: start.y + length * Math.sin(angle) };
}
