// The handles of what is selected: named points of a body, ends, centres and radii of the curves of a
// profile. Each knows how dragging it changes the text.
import { Edit, ModelElement } from '../engine/protocol';
import { Curve, curvesOfProfile } from './curves';
import { editsOf, Way, wayToChange, writtenAt } from './quantities';
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
  bodyIndex: (name: string) => number;
}
const lockOf = (ways: Way[]) => (ways.every((w) => 'locked' in w) ? (ways[0] as { locked: string }).locked : undefined);
const freeOf = (ways: Way[]): [boolean, boolean] => [!('locked' in ways[0]), !('locked' in ways[1])];

export function pointHandle(known: Known, body: string, name: string, x: number, y: number): Handle {
  const path = `body.${body}.points.${name}`,
    element = known.elements.find((e) => e.path === `body.${body}`);
  const ways = [0, 1].map((i) => wayToChange(`${path}.${i}`, writtenAt(element, `${path}.${i}`), known.elements));
  const edits = (to: Point, step: number) => editsOf(ways, [to.x, to.y], [to.x - x, to.y - y], step);
  return { path, body: known.bodyIndex(body), x, y, locked: lockOf(ways), edits, free: freeOf(ways) };
}

// Where a chain closes, or one element begins where the one before ends, one handle moves both.
export function curveHandles(known: Known, profile: ModelElement): Handle[] {
  const out: (Handle & { paths: string[] })[] = [];
  for (const curve of curvesOfProfile(profile, known.elements)) {
    curve.points.forEach((p, i) => curve.paths[i] && addPlace(out, known, curve, p, curve.paths[i]));
    if (curve.centre && curve.centrePath) addPlace(out, known, curve, curve.centre, curve.centrePath);
    if (curve.centre && curve.radius && curve.radiusPath) out.push(radiusHandle(known, curve));
  }
  return out;
}
// How the two coordinates of a place of a profile can be changed.
export function waysOfPlace(elements: ModelElement[], curve: Curve, path: string): Way[] {
  return [0, 1].map((i) => wayToChange(`${path}.${i}`, writtenAt(curve.profile, `${path}.${i}`), elements));
}
function addPlace(out: (Handle & { paths: string[] })[], known: Known, curve: Curve, p: Point, path: string): void {
  const same = out.find((h) => Math.hypot(h.x - p.x, h.y - p.y) < 1e-9 && h.paths.length > 0);
  if (same) return void (same.paths.includes(path) || same.paths.push(path));
  const paths = [path],
    ways = waysOfPlace(known.elements, curve, path);
  const edits = (to: Point, step: number) =>
    paths.flatMap((at) => editsOf(waysOfPlace(known.elements, curve, at), [to.x - curve.offset.x, to.y - curve.offset.y], [to.x - p.x, to.y - p.y], step));
  out.push({ path, body: known.bodyIndex(curve.body), x: p.x, y: p.y, locked: lockOf(ways), edits, free: freeOf(ways), paths });
}
export const wayOfRadius = (elements: ModelElement[], curve: Curve) => wayToChange(curve.radiusPath!, writtenAt(curve.profile, curve.radiusPath!), elements);
function radiusHandle(known: Known, curve: Curve): Handle & { paths: string[] } {
  const { centre, radius } = curve as { centre: Point; radius: number },
    middle = curve.from !== undefined && curve.to !== undefined ? (curve.from + curve.to) / 2 : 0,
    way = wayOfRadius(known.elements, curve);
  const edits = (to: Point, step: number): Edit[] => ('locked' in way ? [] : [way.edit(Math.max(Math.hypot(to.x - centre.x, to.y - centre.y), step), step)]);
  return { path: curve.radiusPath!, body: known.bodyIndex(curve.body), x: centre.x + radius * Math.cos(middle), y: centre.y + radius * Math.sin(middle), locked: 'locked' in way ? way.locked : undefined, edits, free: [true, true], paths: [] };
}
