// Plots against time that share one cursor. Lines are thinned to the pixels there are.
import { Data, MotionEvent, Series, numberText } from './data';
import { thinnedMarks } from './marks';
import { svgElement } from './stage';

export interface Line {
  name: string;
  series: Series;
  value: (row: number, share: number) => number;
  digits: number;
  sign?: number; // of a term in a stack
}
// The stretch of time that all plots show.
export interface Stretch {
  from: number;
  to: number;
}
export interface PlotOptions {
  title: string; // may be empty
  unit: string;
  lines: Line[];
  stacked?: boolean;
  height?: number;
  remove?: () => void;
}

const margin = { left: 58, right: 10, top: 20, bottom: 32 };
const manyLines = 20,
  pause = 200; // ms
const dashes = ['', '7 3', '2 3'];
const colour = (i: number) => `var(--c${i % 7})`;
const dash = (i: number) => dashes[Math.floor(i / 7) % dashes.length];

// Round numbers that cut a range into about `parts`.
export function ticks(low: number, high: number, parts: number): number[] {
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

// "C1.gap", "C2.gap" become "C1", "C2"; "energy.kinetic", "energy.work" become "kinetic", "work".
function shortenNames(lines: Line[]): void {
  const parts = lines.map((l) => /^(.*)\.([^.]*)$/.exec(l.name));
  if (lines.length < 2 || parts.some((p) => p === null)) return;
  for (const keep of [1, 2] as const)
    if (parts.every((p) => p![3 - keep] === parts[0]![3 - keep]))
      return lines.forEach((l, i) => (l.name = parts[i]![keep]));
}

// Calls `put` for the points that matter at a width of `pixels`: all, or per pixel the lowest and
// highest. Gaps are passed on as NaN.
function thinned(s: Series, stretch: Stretch, pixels: number, put: (t: number, v: number) => void): void {
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

export class Plot {
  readonly element = document.createElement('figure');
  private readonly svg = svgElement('svg', { role: 'img' });
  private readonly cursor = svgElement('line', { class: 'cursor' });
  private readonly values: HTMLOutputElement[] = [];
  private static count = 0;
  private readonly number = ++Plot.count;
  private width = 0;
  private time = 0;
  private row = 0;
  private share = 0;
  private range = 0;
  private shownAt = -Infinity; // ms
  private later?: ReturnType<typeof setTimeout>;

  constructor(
    private readonly data: Data,
    private readonly stretch: Stretch,
    private readonly options: PlotOptions,
    private readonly seek: (t: number) => void,
  ) {
    this.element.className = 'plot';
    shortenNames(options.lines);
    const head = document.createElement('div');
    head.className = 'plot-head';
    const title = document.createElement('h3');
    title.textContent = options.title;
    head.append(title);
    if (options.remove) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'remove';
      button.setAttribute('aria-label', `Remove the plot ${options.title}`);
      button.addEventListener('click', options.remove);
      head.append(button);
    }
    const names = options.lines.map((l) => l.name).join(', ');
    this.svg.setAttribute('aria-label', `${options.title || 'Energy ledger'} in ${options.unit} against time: ${names}`);
    if (options.title) this.element.append(head);
    this.element.append(this.svg, this.legend());
    const drag = (e: PointerEvent) => {
      if (e.type !== 'pointerdown' && !(e.buttons & 1)) return;
      if (e.type === 'pointerdown') this.svg.setPointerCapture(e.pointerId);
      const box = this.svg.getBoundingClientRect();
      const x = ((e.clientX - box.left) * this.width) / box.width - margin.left;
      const share = x / (this.width - margin.left - margin.right);
      this.seek(stretch.from + Math.min(1, Math.max(0, share)) * (stretch.to - stretch.from));
    };
    this.svg.addEventListener('pointerdown', drag);
    this.svg.addEventListener('pointermove', drag);
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  private legend(): HTMLElement {
    const list = document.createElement('ul');
    list.className = 'legend';
    this.options.lines.forEach((line, i) => {
      const entry = document.createElement('li'),
        key = svgElement('svg', { viewBox: '0 0 22 10', 'aria-hidden': 'true' });
      key.append(
        this.options.stacked
          ? svgElement('rect', { width: 22, height: 10, rx: 2, style: `fill:${colour(i)}` })
          : svgElement('path', { d: 'M0 5H22', fill: 'none', 'stroke-width': 2.4, 'stroke-dasharray': dash(i), style: `stroke:${colour(i)}` }),
      );
      const name = document.createElement('span'),
        value = document.createElement('output');
      name.textContent = line.name;
      this.values.push(value);
      entry.append(key, name, value);
      list.append(entry);
    });
    return list;
  }

  private resize(): void {
    const width = Math.round(this.element.clientWidth);
    if (width < 50 || width === this.width) return;
    this.width = width;
    this.draw();
  }

  private x(t: number): number {
    const { from, to } = this.stretch;
    return margin.left + ((t - from) / (to - from || 1)) * (this.width - margin.left - margin.right);
  }

  // Draws anew, e.g. after the stretch of time has changed.
  draw(): void {
    if (this.width === 0) return;
    const height = this.options.height ?? 190,
      bottom = height - margin.bottom,
      right = this.width - margin.right;
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${height}`);
    const shapes = this.options.stacked ? this.stack() : this.lines();
    let [low, high] = shapes.range;
    if (!(low <= high)) [low, high] = [0, 1];
    const room = (high - low) * 0.05 || Math.abs(high) * 0.1 || 1;
    low -= room;
    high += room;
    const y = (v: number) => bottom - ((v - low) / (high - low)) * (bottom - margin.top);
    const out: SVGElement[] = [];
    const label = (text: string, more: Record<string, string | number>) => {
      const element = svgElement('text', more);
      element.textContent = text;
      out.push(element);
    };
    for (const v of ticks(low, high, 4)) {
      out.push(svgElement('path', { class: v === 0 ? 'zero' : 'grid', d: `M${margin.left} ${y(v).toFixed(1)}H${right}` }));
      label(numberText(v, 4), { x: margin.left - 6, y: y(v) + 4, 'text-anchor': 'end' });
    }
    for (const t of ticks(this.stretch.from, this.stretch.to > this.stretch.from ? this.stretch.to : this.stretch.from + 1, Math.max(2, this.width / 110))) {
      out.push(svgElement('path', { class: 'grid', d: `M${this.x(t).toFixed(1)} ${margin.top}V${bottom}` }));
      label(numberText(t, 4), { x: this.x(t), y: bottom + 14, 'text-anchor': 'middle' });
    }
    label(`[${this.options.unit}]`, { x: margin.left - 6, y: 11, 'text-anchor': 'end' });
    label('t [s]', { x: right, y: height - 4, 'text-anchor': 'end' });
    const clip = svgElement('clipPath', { id: `clip-${this.number}` });
    clip.append(svgElement('rect', { x: margin.left, y: margin.top - 2, width: right - margin.left, height: bottom - margin.top + 4 }));
    const inside = svgElement('g', { 'clip-path': `url(#clip-${this.number})` });
    const marks = this.eventMarks(bottom);
    inside.append(...marks.paths, ...shapes.draw(y), this.cursor);
    label(marks.note, { class: 'mark-note', x: right, y: 11, 'text-anchor': 'end' });
    this.range = high - low;
    out.push(clip, inside);
    out.push(svgElement('path', { class: 'frame', d: `M${margin.left} ${margin.top}V${bottom}H${right}` }));
    for (const [key, value] of Object.entries({ y1: margin.top, y2: bottom })) this.cursor.setAttribute(key, String(value));
    this.svg.replaceChildren(...out);
    this.showNow();
  }

  // The events of the stretch, and what is to be said of their marks.
  private eventMarks(bottom: number): { paths: SVGElement[]; note: string } {
    const { from, to } = this.stretch;
    const events = this.data.about.events.filter((e: MotionEvent) => e.t >= from && e.t <= to);
    const marks = events.map((e) => ({ x: this.x(e.t), kind: `${e.kind} ${e.element}` }));
    const { lines, ticks } = thinnedMarks(marks, this.width - margin.left - margin.right);
    const path = (kind: string, places: number[], low: number) =>
      svgElement('path', { class: kind, d: places.map((x) => `M${Math.round(x)} ${margin.top}V${low}`).join('') });
    return {
      paths: [path('mark', lines, bottom), path('tick', ticks, margin.top + 5)],
      note: ticks.length > 0 ? `${events.length} events, marks merged` : '',
    };
  }

  private lines() {
    const range = [Infinity, -Infinity];
    const pixels = this.width - margin.left - margin.right;
    const points = this.options.lines.map((line) => {
      const out: number[] = [];
      thinned(line.series, this.stretch, pixels, (t, v) => {
        out.push(t, v);
        if (t < this.stretch.from || t > this.stretch.to) return;
        if (v < range[0]) range[0] = v;
        if (v > range[1]) range[1] = v;
      });
      return out;
    });
    const draw = (y: (v: number) => number) =>
      points.map((p, i) => {
        let d = '',
          pen = 'M';
        for (let k = 0; k < p.length; k += 2)
          if (Number.isFinite(p[k + 1])) {
            d += `${pen}${this.x(p[k]).toFixed(1)} ${y(p[k + 1]).toFixed(1)}`;
            pen = 'L';
          } else pen = 'M';
        return svgElement('path', { class: 'series', d, 'stroke-dasharray': dash(i), style: `stroke:${colour(i)}` });
      });
    return { range, draw };
  }

  // Changes since the start; gains are stacked upwards, losses downwards.
  private stack() {
    const pixels = Math.max(50, Math.min(600, this.width - margin.left - margin.right));
    const { from, to } = this.stretch;
    const range = [0, 0];
    const count = pixels + 1;
    const up = new Float64Array(count),
      down = new Float64Array(count);
    const time = (k: number) => from + (k / pixels) * (to - from);
    const rows = this.highestRows(from, (to - from) / pixels, count);
    const bands = this.options.lines.map((line) => {
      const first = line.value(0, 0);
      const inner = new Float64Array(count),
        outer = new Float64Array(count);
      for (let k = 0; k < count; ++k) {
        const v = (line.sign ?? 1) * (line.value(rows[k], 0) - first);
        const base = v > 0 ? up : down;
        inner[k] = base[k];
        outer[k] = base[k] += Number.isFinite(v) ? v : 0;
        range[0] = Math.min(range[0], base[k]);
        range[1] = Math.max(range[1], base[k]);
      }
      return { inner, outer };
    });
    const draw = (y: (v: number) => number) =>
      bands.map(({ inner, outer }, i) => {
        const point = (k: number, v: number) => `${this.x(time(k)).toFixed(1)} ${y(v).toFixed(1)}`;
        let d = '';
        // A term that changes its side is drawn in parts.
        for (let begin = 0, end = 0; begin < count; begin = end) {
          const there: string[] = [],
            back: string[] = [];
          const side = Math.sign(outer[begin] - inner[begin]);
          for (end = begin; end < count && Math.sign(outer[end] - inner[end]) === side; ++end) {
            there.push(point(end, outer[end]));
            back.unshift(point(end, inner[end]));
          }
          if (side !== 0) d += `M${[...there, ...back].join('L')}z`;
        }
        return svgElement('path', { class: 'area', d, style: `fill:${colour(i)};stroke:${colour(i)}` });
      });
    return { range, draw };
  }

  // For each pixel the row in it where the stack is highest, so that fast oscillations show their
  // size and not the beat of their samples; the row before it where the pixel has none.
  private highestRows(from: number, pixel: number, count: number): number[] {
    const first = this.options.lines.map((line) => line.value(0, 0));
    const height = (row: number) =>
      this.options.lines.reduce((sum, line, i) => sum + (Math.abs(line.value(row, 0) - first[i]) || 0), 0);
    return Array.from({ length: count }, (_, k) => {
      let best = this.data.rowAt(from + (k - 0.5) * pixel);
      const end = this.data.rowAt(from + (k + 0.5) * pixel);
      if (end === best) return best;
      for (let row = best + 1, most = -1; row <= end; ++row) {
        const h = height(row);
        if (h > most) [best, most] = [row, h];
      }
      return best;
    });
  }

  show(t: number, row: number, share: number): void {
    this.time = t;
    this.row = row;
    this.share = share;
    this.showNow();
  }
  private showNow(): void {
    const { row, share } = this;
    this.moveCursor();
    // Numbers of many lines cannot be read in one frame, and take as long as the rest of it.
    const now = performance.now();
    clearTimeout(this.later);
    if (this.values.length > manyLines && now - this.shownAt < pause) {
      this.later = setTimeout(() => this.showNow(), pause);
      return;
    }
    this.shownAt = now;
    this.options.lines.forEach((line, i) => {
      const v = line.value(row, share) - (this.options.stacked ? line.value(0, 0) : 0);
      // What cannot be seen in the plot by far is rounding.
      this.values[i].textContent = numberText(Math.abs(v) < 1e-9 * this.range ? 0 : (line.sign ?? 1) * v, line.digits);
    });
  }
  private moveCursor(): void {
    const x = this.x(this.time).toFixed(1);
    this.cursor.setAttribute('x1', x);
    this.cursor.setAttribute('x2', x);
  }
}
