// The time that is shown of a motion: it plays, jumps to rows and events, and says so. Knows no page.
import { Data } from './data';

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const longestFrame = 100; // ms: a machine that cannot keep up shows it slower, not in jumps
const usualDuration = 8; // s, of a motion at the first speed

// The speed that plays a motion in about the usual time.
export function usualSpeed(length: number): number {
  const wanted = length / usualDuration;
  return speeds.reduce((a, b) => (Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a));
}

export class Clock {
  time: number;
  speed = 1;
  playing = false;
  private lastFrame = 0;

  constructor(
    private data: Data,
    private readonly onTime: (t: number, row: number, share: number) => void,
    private readonly onPlaying: (on: boolean) => void,
  ) {
    this.time = data.start;
  }

  setData(data: Data): void {
    this.data = data;
  }
  seek(t: number): void {
    this.time = Math.min(this.data.end, Math.max(this.data.start, t));
    const row = this.data.rowAt(this.time),
      times = this.data.time;
    const step = row + 1 < times.length ? times[row + 1] - times[row] : 0;
    this.onTime(this.time, row, step > 0 ? (this.time - times[row]) / step : 0);
  }
  // The number of events up to now.
  passed(): number {
    const events = this.data.about.events;
    let low = 0,
      high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (events[middle].t <= this.time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  play(on: boolean): void {
    if (on && this.time >= this.data.end) this.time = this.data.start;
    const was = this.playing;
    this.playing = on;
    this.onPlaying(on);
    if (on && !was) {
      this.lastFrame = performance.now();
      requestAnimationFrame((now) => this.frame(now));
    }
  }
  private frame(now: number): void {
    if (!this.playing) return;
    const t = this.time + (Math.min(longestFrame, Math.max(0, now - this.lastFrame)) / 1000) * this.speed;
    this.lastFrame = now;
    this.seek(t);
    if (t >= this.data.end) this.play(false);
    else requestAnimationFrame((next) => this.frame(next));
  }
  stepRow(direction: number): void {
    this.play(false);
    const row = this.data.rowAt(this.time),
      times = this.data.time;
    let next = row + direction;
    if (direction < 0 && times[row] < this.time) next = row;
    while (next > 0 && next < times.length - 1 && times[next] === this.time) next += direction; // both sides of an event
    this.seek(times[Math.min(times.length - 1, Math.max(0, next))]);
  }
  stepEvent(direction: number): void {
    this.play(false);
    const events = this.data.about.events;
    if (direction > 0) {
      const next = events[this.passed()];
      this.seek(next ? next.t : this.data.end);
    } else {
      let i = this.passed() - 1;
      while (i >= 0 && events[i].t >= this.time) --i;
      this.seek(i >= 0 ? events[i].t : this.data.start);
    }
  }
}
