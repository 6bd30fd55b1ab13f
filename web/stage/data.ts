// The motion that a page plays: what the program packed, unpacked column by column when it is
// first needed.

export interface Column {
  name: string;
  unit: string;
  constant?: number | null;
  float?: number; // numbers of blocks
  short?: number;
  spans?: number;
}
export interface Place {
  body: number;
  x: number;
  y: number;
}
export interface MotionEvent {
  t: number;
  kind: string;
  element: string;
  from: string;
  to: string;
  impulse: number;
  energy: number;
  detail: string;
}
export interface PlotChoice {
  title: string;
  unit: string;
  columns: number[];
  shown: boolean;
}
export interface Description {
  scale: number;
  rows: number;
  samples: number;
  spans: number;
  time: number;
  span_time?: number;
  bodies: { name: string; colour: string; x: number; y: number; angle: number }[];
  rods: [Place, Place][];
  springs: [Place, Place][];
  contacts: { name: string; force: number; friction: number; x: number; y: number; angle: number }[];
  edges?: [string, string, number, number][]; // name, kind, body, body
  columns: Column[];
  plots: PlotChoice[];
  ledger: { name: string; column: number; sign: number }[];
  events: MotionEvent[];
}

// Points of a line to plot, in the order of time.
export interface Series {
  t: Float64Array;
  v: ArrayLike<number>;
}

function bytes(text: string): Uint8Array {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) out[i] = raw.charCodeAt(i);
  return out;
}

// Three bytes are the upper part of a float.
function shortFloats(packed: Uint8Array): Float32Array {
  const n = packed.length / 3;
  const bits = new Uint32Array(n);
  for (let i = 0; i < n; ++i)
    bits[i] = (packed[3 * i] << 8) | (packed[3 * i + 1] << 16) | (packed[3 * i + 2] << 24);
  return new Float32Array(bits.buffer);
}

export class Data {
  readonly about: Description;
  readonly time: Float64Array; // of the rows
  private readonly unpacked = new Map<number, Float32Array>();
  private spanTime?: Float64Array;

  constructor(
    description: string | Description,
    private readonly block: (i: number) => string,
  ) {
    this.about = typeof description === 'string' ? (JSON.parse(description) as Description) : description;
    this.time = new Float64Array(bytes(block(this.about.time)).buffer);
  }

  get end(): number {
    return this.time[this.time.length - 1];
  }
  get start(): number {
    return this.time[0];
  }

  // The last row that is not later: at an event the one after it.
  rowAt(t: number): number {
    let low = 0,
      high = this.time.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= t) low = middle;
      else high = middle;
    }
    return low;
  }

  private rows(c: Column): Float32Array | undefined {
    const id = c.float ?? c.short;
    if (id === undefined) return undefined;
    let out = this.unpacked.get(id);
    if (!out) {
      const raw = bytes(this.block(id));
      out = c.float === undefined ? shortFloats(raw) : new Float32Array(raw.buffer);
      this.unpacked.set(id, out);
    }
    return out;
  }

  // The value of a column a share of the way from a row to the next.
  at(index: number, row: number, share = 0): number {
    const c = this.about.columns[index];
    if (c.constant !== undefined) return c.constant ?? NaN;
    const values = this.rows(c);
    if (!values) {
      const step = row + 1 < this.time.length ? this.time[row + 1] - this.time[row] : 0;
      return this.inSpan(c, this.time[row] + share * step);
    }
    const a = values[row];
    if (share === 0 || row + 1 >= values.length) return a;
    const b = values[row + 1];
    return Number.isFinite(b) ? a + share * (b - a) : a;
  }

  private spanTimes(): Float64Array {
    this.spanTime ??= new Float64Array(bytes(this.block(this.about.span_time as number)).buffer);
    return this.spanTime;
  }
  private spanValues(c: Column): Float32Array {
    const id = c.spans as number;
    let out = this.unpacked.get(id);
    if (!out) this.unpacked.set(id, (out = shortFloats(bytes(this.block(id)))));
    return out;
  }
  // The middle between the extremes of the span that holds t.
  private inSpan(c: Column, t: number): number {
    const times = this.spanTimes(),
      values = this.spanValues(c);
    let low = 0,
      high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle;
    }
    return (values[2 * low] + values[2 * low + 1]) / 2;
  }

  // The number of a column by its name; -1: none.
  find(name: string): number {
    this.byName ??= new Map(this.about.columns.map((c, i) => [c.name, i]));
    return this.byName.get(name) ?? -1;
  }
  private byName?: Map<string, number>;

  // How many digits of a column are known.
  digits(index: number): number {
    const c = this.about.columns[index];
    return c.constant === undefined && c.float === undefined ? 4 : 5;
  }

  // A column as points to plot. Of a span both extremes are points.
  series(index: number): Series {
    const c = this.about.columns[index];
    if (c.constant !== undefined) {
      const v = c.constant ?? NaN;
      return { t: Float64Array.of(this.start, this.end), v: [v, v] };
    }
    if (c.spans === undefined) return { t: this.time, v: this.rows(c) as Float32Array };
    const times = this.spanTimes(),
      v = this.spanValues(c);
    const t = new Float64Array(v.length);
    for (let k = 0; k + 1 < times.length; ++k) {
      t[2 * k] = times[k];
      t[2 * k + 1] = (times[k] + times[k + 1]) / 2;
    }
    return { t, v };
  }
}

// So many digits, without zeros at the end.
export function numberText(v: number, digits = 5): string {
  if (!Number.isFinite(v)) return '–';
  if (v === 0) return '0';
  const size = Math.abs(v);
  if (size >= 1e6 || size < 1e-3)
    return v.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
  const text = v.toPrecision(digits);
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : String(Number(text));
}
