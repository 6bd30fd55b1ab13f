// Where a click lands: on a named point within reach, else on the grid. Alt switches it off.
import type { Studio } from './studio';
import { Point } from './view';

export interface Snap {
  at: Point; // on the ground, m
  point?: { body: string; name: string };
  body?: string; // under the pointer
}

const reach = 8, // px
  touchReach = 16,
  gridPixels = 9; // at least, between lines of the grid

export function gridStep(pixelsPerMetre: number): number {
  const rough = gridPixels / pixelsPerMetre,
    power = 10 ** Math.floor(Math.log10(rough));
  return power * (rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10);
}

export function snap(studio: Studio, at: Point, event: PointerEvent, body?: string, besides = ''): Snap {
  if (event.altKey) return { at, body };
  const { panel } = studio,
    here = panel.view.toScreen(at);
  let best: Snap | undefined,
    nearest = event.pointerType === 'touch' ? touchReach : reach;
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
  if (best) return best;
  const step = gridStep(panel.view.pixelsPerMetre),
    round = (v: number) => Math.round(v / step) * step;
  return { at: { x: round(at.x), y: round(at.y) }, body };
}

// The end of a line from `start`, held to multiples of 15 degrees.
export function held(start: Point, end: Point): Point {
  const angle = Math.round(Math.atan2(end.y - start.y, end.x - start.x) / (Math.PI / 12)) * (Math.PI / 12),
    length = Math.hypot(end.x - start.x, end.y - start.y);
  return { x: start.x + length * Math.cos(angle), y: start.y + length * Math.sin(angle) };
}
