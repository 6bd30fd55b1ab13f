// Which events on an axis are marked by lines and which by ticks. Knows places and kinds.
export interface Mark {
  x: number; // pixels
  kind: string;
}

const nearest = 4; // pixels: marks that are nearer are one
const lineRoom = 12; // pixels for each line: curves are seen between them

// The places that are left when marks that are hardly apart become one.
export function merged(places: number[]): number[] {
  const out: number[] = [];
  for (const x of [...places].sort((a, b) => a - b)) if (out.length === 0 || x - out[out.length - 1] >= nearest) out.push(x);
  return out;
}

// Many lines are a grid that hides the curves. The rarest kinds keep theirs, as many kinds as fit on
// `width`; the others are ticks.
export function thinnedMarks(marks: Mark[], width: number): { lines: number[]; ticks: number[] } {
  const byKind = new Map<string, number[]>();
  for (const { x, kind } of marks)
    if (!byKind.get(kind)?.push(x)) byKind.set(kind, [x]);
  const kinds = [...byKind].sort(([a, p], [b, q]) => p.length - q.length || (a < b ? -1 : 1));
  let lines: number[] = [],
    kept = 0;
  for (; kept < kinds.length; ++kept) {
    const more = merged([...lines, ...kinds[kept][1]]);
    if (more.length * lineRoom > width) break;
    lines = more;
  }
  return { lines, ticks: merged(kinds.slice(kept).flatMap(([, places]) => places)) };
}
