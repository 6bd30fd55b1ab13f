// Plots against time that share one cursor. Lines are thinned to the pixels there are.
import { Data, MotionEvent, Series, numberText } from './data';
import { thinnedMarks } from './marks';
import { thinned, ticks } from './series';
import { svgElement } from './stage';
import { Readable, readable } from './units';
import { Stretch } from './window';

export interface Line {
  name: string;
  series: Series;
  value: (row: number, share: number) => number;
  digits: number;
  sign?: number; // of a term in a stack
  kept?: boolean; // of a run that was kept, to be compared with
}
export interface PlotOptions {
  title: string; // may be empty
  unit: string;
  lines: Line[];
  stacked?: boolean;
  height?: number;
  remove?: () => void;
  zoomTo?: (from: number, to: number) => void; // a stretch that was marked; the whole where it is empty
}

const margin = { left: 58, right: 10, top: 20, bottom: 32 };
const manyLines = 20,
  pause = 200; // ms
const dashes = ['', '7 3', '2 3'];
const colour = (i: number) => `var(--c${i % 7})`;
const dash = (i: number) => dashes[Math.floor(i / 7) % dashes.length];

// "C1.gap", "C2.gap" become "C1", "C2"; "energy.kinetic", "energy.work" become "kinetic", "work".
function shortenNames(lines: Line[]): void {
  const parts = lines.map((l) => /^(.*)\.([^.]*)$/.exec(l.name));
  if (lines.length < 2 || parts.some((p) => p === null)) return;
  for (const keep of [1, 2] as const)
    if (parts.every((p) => p![3 - keep] === parts[0]![3 - keep]))
      return lines.forEach((l, i) => (l.name = parts[i]![keep]));
}

export class Plot {
  readonly element = document.createElement('figure');
  private readonly svg = svgElement('svg', { role: 'img' });
  private readonly cursor = document.createElement('div'); // over the picture, which is painted anew only when it changes
  private readonly values: HTMLOutputElement[] = [];
  private static count = 0;
  private readonly number = ++Plot.count;
  private width = 0;
  private time = 0;
  private row = 0;
  private share = 0;
  private range = 0;
  private readonly hidden = new Set<number>(); // lines that are switched off
  private scale: Readable = { factor: 1, unit: '' };
  private marked?: { from: number; to: number }; // while it is dragged with Shift
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
    const frame = document.createElement('div');
    frame.className = 'plot-frame';
    this.cursor.className = 'cursor';
    frame.append(this.svg, this.cursor);
    this.element.append(frame, this.legend());
    for (const kind of ['pointerdown', 'pointermove', 'pointerup'] as const) this.svg.addEventListener(kind, (e) => this.drag(e));
    this.svg.addEventListener('dblclick', () => options.zoomTo?.(0, 0));
    this.svg.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  private timeAt(e: MouseEvent): number {
    const box = this.svg.getBoundingClientRect();
    const x = ((e.clientX - box.left) * this.width) / box.width - margin.left;
    const share = Math.min(1, Math.max(0, x / (this.width - margin.left - margin.right)));
    return this.stretch.from + share * (this.stretch.to - this.stretch.from);
  }
  // A drag moves the cursor; with Shift it marks a stretch to be shown.
  private drag(e: PointerEvent): void {
    const t = this.timeAt(e);
    if (e.type === 'pointerdown') {
      this.svg.setPointerCapture(e.pointerId);
      this.marked = e.shiftKey && this.options.zoomTo ? { from: t, to: t } : undefined;
    }
    if (e.type === 'pointerup') {
      const { marked } = this;
      this.marked = undefined;
      if (marked && marked.from !== marked.to) this.options.zoomTo!(Math.min(marked.from, marked.to), Math.max(marked.from, marked.to));
      return this.draw();
    }
    if (!(e.buttons & 1)) return;
    if (!this.marked) return this.seek(t);
    this.marked.to = t;
    this.draw();
  }
  private wheel(e: WheelEvent): void {
    if (!e.ctrlKey || !this.options.zoomTo) return;
    e.preventDefault();
    const t = this.timeAt(e),
      factor = Math.exp(Math.max(-200, Math.min(200, e.deltaY)) * 0.005);
    this.options.zoomTo(t - (t - this.stretch.from) * factor, t + (this.stretch.to - t) * factor);
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
          : svgElement('path', { d: 'M0 5H22', fill: 'none', 'stroke-width': 2.4, 'stroke-dasharray': this.dashOf(i), style: `stroke:${this.colourOf(i)}` }),
      );
      const name = document.createElement('span'),
        value = document.createElement('output');
      name.textContent = line.name;
      this.values.push(value);
      if (this.options.stacked) entry.append(key, name, value);
      else entry.append(this.switchOf(i, key, name), value);
      list.append(entry);
    });
    return list;
  }

  // A button that switches a line on and off.
  private switchOf(i: number, ...content: Node[]): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'switch';
    button.setAttribute('aria-pressed', 'true');
    button.title = 'Show or hide this curve';
    button.append(...content);
    button.addEventListener('click', () => {
      if (!this.hidden.delete(i)) this.hidden.add(i);
      button.setAttribute('aria-pressed', String(!this.hidden.has(i)));
      this.draw();
    });
    return button;
  }

  private resize(): void {
    const width = Math.round(this.element.clientWidth);
    if (width < 50 || width === this.width) return;
    this.width = width;
    this.draw();
  }

  // A line of a run that was kept looks like that of this run, but thin and dashed.
  private colourOf(i: number): string {
    return colour(this.options.lines[i].kept ? i - this.options.lines.filter((l) => !l.kept).length : i);
  }
  private dashOf(i: number): string {
    return this.options.lines[i].kept ? '3 4' : dash(i);
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
    this.scale = readable(this.options.unit, Math.max(Math.abs(shapes.range[0]), Math.abs(shapes.range[1])));
    this.svg.dataset.factor = String(this.scale.factor);
    for (const v of ticks(low, high, 4)) {
      out.push(svgElement('path', { class: v === 0 ? 'zero' : 'grid', d: `M${margin.left} ${y(v).toFixed(1)}H${right}` }));
      label(numberText(this.scale.factor * v, 4), { x: margin.left - 6, y: y(v) + 4, 'text-anchor': 'end' });
    }
    const { from, to } = this.stretch,
      time = readable('s', Math.max(Math.abs(from), Math.abs(to)));
    for (const t of ticks(from, to > from ? to : from + 1, Math.max(2, this.width / 110))) {
      out.push(svgElement('path', { class: 'grid', d: `M${this.x(t).toFixed(1)} ${margin.top}V${bottom}` }));
      label(numberText(time.factor * t, 4), { x: this.x(t), y: bottom + 14, 'text-anchor': 'middle' });
    }
    label(`[${this.scale.unit}]`, { x: margin.left - 6, y: 11, 'text-anchor': 'end' });
    label(`t [${time.unit}]`, { x: right, y: height - 4, 'text-anchor': 'end' });
    const clip = svgElement('clipPath', { id: `clip-${this.number}` });
    clip.append(svgElement('rect', { x: margin.left, y: margin.top - 2, width: right - margin.left, height: bottom - margin.top + 4 }));
    const inside = svgElement('g', { 'clip-path': `url(#clip-${this.number})` });
    const marks = this.eventMarks(bottom);
    inside.append(...marks.paths, ...shapes.draw(y));
    if (this.marked) {
      const [a, b] = [this.x(this.marked.from), this.x(this.marked.to)];
      inside.append(svgElement('rect', { class: 'marked', x: Math.min(a, b), y: margin.top, width: Math.abs(b - a), height: bottom - margin.top }));
    }
    label(marks.note, { class: 'mark-note', x: right, y: 11, 'text-anchor': 'end' });
    this.range = high - low;
    out.push(clip, inside);
    out.push(svgElement('path', { class: 'frame', d: `M${margin.left} ${margin.top}V${bottom}H${right}` }));
    this.cursor.style.top = `${margin.top}px`;
    this.cursor.style.height = `${bottom - margin.top}px`;
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
    const points = this.options.lines.map((line, i) => {
      const out: number[] = [];
      if (this.hidden.has(i)) return out;
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
        return svgElement('path', { class: this.options.lines[i].kept ? 'series kept' : 'series', d, 'stroke-dasharray': this.dashOf(i), style: `stroke:${this.colourOf(i)}` });
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
      this.values[i].textContent = numberText(Math.abs(v) < 1e-9 * this.range ? 0 : (line.sign ?? 1) * this.scale.factor * v, line.digits);
    });
  }
  private moveCursor(): void {
    const { from, to } = this.stretch;
    this.cursor.style.visibility = this.time >= from && this.time <= to ? 'visible' : 'hidden';
    this.cursor.style.transform = `translateX(${(this.x(this.time) - 0.7).toFixed(1)}px)`;
  }
}
