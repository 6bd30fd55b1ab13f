// The handles of what is selected: named points of a body, ends, centres and radii of the curves of a
// profile. Each knows how dragging it changes the text.
import { Edit, ModelElement, ParameterInfo } from '../engine/protocol';
import { Curve, curvesOfProfile } from './curves';
import { lengthIn, lengthUnit, Way, wayToChange } from './quantities';
import { Point } from '../../../stage/view';

// Something that can be dragged, in the axes of its body.
export interface Handle {
  path: string;
  body: number;
  x: number;
  y: number;
  locked?: string; // why it cannot be dragged
  edits: (to: Point, step: number) => Edit[];
  free: [boolean, boolean]; // whether x and y can change
}
export interface Known {
  elements: ModelElement[];
  parameters: ParameterInfo[];
  bodyIndex: (name: string) => number;
}

export function pointHandle(known: Known, body: string, name: string, x: number, y: number): Handle {
  const points = known.elements.find((e) => e.path === `body.${body}`)?.fields?.find((f) => f.key === 'points');
  const items = points?.fields?.find((f) => f.key === name)?.items;
  const ways = [0, 1].map((i): Way => wayToChange(`body.${body}.points.${name}.${i}`, items?.[i], known.elements, known.parameters));
  const locked = ways.every((w) => 'locked' in w) ? (ways[0] as { locked: string }).locked : undefined;
  const edits = (to: Point, step: number) =>
    [to.x - x, to.y - y].flatMap((change, i) => {
      const way = ways[i];
      return Math.abs(change) < step / 2 || 'locked' in way ? [] : [way.edit(i === 0 ? to.x : to.y, step)];
    });
  return { path: `body.${body}.points.${name}`, body: known.bodyIndex(body), x, y, locked, edits, free: [!('locked' in ways[0]), !('locked' in ways[1])] };
}

// Where a chain closes, or one element begins where the one before ends, one handle moves both.
export function curveHandles(known: Known, profile: ModelElement): Handle[] {
  const unit = lengthUnit(known.elements),
    out: (Handle & { paths: string[] })[] = [];
  for (const curve of curvesOfProfile(profile, known.elements)) {
    curve.points.forEach((p, i) => curve.paths[i] && addPlace(out, known, unit, curve, p, curve.paths[i]));
    if (curve.centre && curve.centrePath) addPlace(out, known, unit, curve, curve.centre, curve.centrePath);
    if (curve.centre && curve.radius && curve.radiusPath) out.push(radiusHandle(known, unit, curve));
  }
  return out;
}
function addPlace(out: (Handle & { paths: string[] })[], known: Known, unit: string, curve: Curve, p: Point, path: string): void {
  const same = out.find((h) => Math.hypot(h.x - p.x, h.y - p.y) < 1e-9 && h.paths.length > 0);
  if (same) return void (same.paths.includes(path) || same.paths.push(path));
  const paths = [path];
  const edits = (to: Point, step: number) =>
    [to.x - p.x, to.y - p.y].flatMap((change, i): Edit[] => {
      if (Math.abs(change) < step / 2) return [];
      const value = lengthIn((i === 0 ? to.x - curve.offset.x : to.y - curve.offset.y), unit, step);
      return paths.map((at) => ({ kind: 'set', path: `${at}.${i}`, value }));
    });
  out.push({ path, body: known.bodyIndex(curve.body), x: p.x, y: p.y, edits, free: [true, true], paths });
}
function radiusHandle(known: Known, unit: string, curve: Curve): Handle & { paths: string[] } {
  const { centre, radius } = curve as { centre: Point; radius: number },
    middle = curve.from !== undefined && curve.to !== undefined ? (curve.from + curve.to) / 2 : 0;
  const edits = (to: Point, step: number): Edit[] => [{ kind: 'set', path: curve.radiusPath!, value: lengthIn(Math.max(Math.hypot(to.x - centre.x, to.y - centre.y), step), unit, step) }];
  return { path: curve.radiusPath!, body: known.bodyIndex(curve.body), x: centre.x + radius * Math.cos(middle), y: centre.y + radius * Math.sin(middle), edits, free: [true, true], paths: [] };
}
