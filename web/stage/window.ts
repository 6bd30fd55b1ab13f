// The stretch of time that all plots show: it is zoomed, moved, and follows the clock.
import { numberText } from './data';

export interface Stretch {
  from: number;
  to: number;
}

const shortest = 1e-6; // of the whole

export class TimeWindow implements Stretch {
  from = 0;
  to = 1;
  private start = 0;
  private end = 1;

  constructor(private readonly onChange: () => void) {}

  get isWhole(): boolean {
    return this.to - this.from >= this.end - this.start;
  }
  get text(): string {
    return this.isWhole ? '' : `${numberText(this.from, 4)} to ${numberText(this.to, 4)} s`;
  }
  // A motion that lasts from `start` to `end`; what was zoomed stays so where it still fits.
  setWhole(start: number, end: number): void {
    const keep = !this.isWhole && this.from >= start && this.to <= end;
    this.start = start;
    this.end = end;
    if (!keep) {
      this.from = start;
      this.to = end;
    }
  }
  show(from: number, to: number): void {
    const whole = this.end - this.start,
      length = to - from > 0.999999 * whole ? whole : Math.max(to - from, shortest * whole);
    this.from = Math.min(Math.max(this.start, from), this.end - length);
    this.to = this.from + length;
    this.onChange();
  }
  showAll(): void {
    this.show(this.start, this.end);
  }
  // `t` keeps its place.
  zoom(factor: number, t: number): void {
    const length = (this.to - this.from) * factor;
    if (length < shortest * (this.end - this.start)) return;
    const share = (t - this.from) / (this.to - this.from || 1);
    this.show(t - share * length, t - share * length + length);
  }
  // Moves along with a clock that leaves it.
  follow(t: number): void {
    const length = this.to - this.from;
    if (t >= this.from && t <= this.to) return;
    const from = t > this.to && t < this.to + length ? this.to : t - length / 2;
    this.show(from, from + length);
  }
}
