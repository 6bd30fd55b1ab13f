// Round numbers for axes, and the points of a series that matter at a width.
import { Series } from './data';
import { Stretch } from './window';

// Round numbers that cut a range into about `parts`; at least three of them.
export function ticks(low: number, high: number, parts: number): number[] {
  for (let more = parts; more < 8 * parts; more *= 1.5) {
    const out = roundNumbers(low, high, more);
    if (out.length >= 3) return out;
  }
  return roundNumbers(low, high, parts);
}
function roundNumbers(low: number, high: number, parts: number): number[] {
  const rough = (high - low) / parts,
    power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((k) => k * power >= rough) as number);
  const out: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) out.push(i * step);
  return out;
}

// Index of the first time after t.
function firstAfter(times: Float64Array, t: number): number {
  let low = 0,
    high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Calls `put` for the points that matter at a width of `pixels`: all, or per pixel the lowest and
// highest. Gaps are passed on as NaN.
export function thinned(s: Series, stretch: Stretch, pixels: number, put: (t: number, v: number) => void): void {
  const first = Math.max(0, firstAfter(s.t, stretch.from) - 1),
    n = Math.min(s.t.length, firstAfter(s.t, stretch.to) + 1);
  if (n - first <= 3 * pixels) {
    for (let i = first; i < n; ++i) put(s.t[i], s.v[i]);
    return;
  }
  const low = stretch.from,
    width = (stretch.to - low) / pixels;
  for (let i = first; i < n; ) {
    const cell = Math.floor((s.t[i] - low) / width);
    let least = i,
      most = i,
      last = i;
    for (; i < n && Math.floor((s.t[i] - low) / width) === cell; ++i) {
      if (!(s.v[i] >= s.v[least])) least = i;
      if (!(s.v[i] <= s.v[most])) most = i;
      last = i;
    }
    const [a, b] = least < most ? [least, most] : [most, least];
    put(s.t[a], s.v[a]);
    if (b !== a) put(s.t[b], s.v[b]);
    if (last !== b && !Number.isFinite(s.v[last])) put(s.t[last], NaN);
  }
}
