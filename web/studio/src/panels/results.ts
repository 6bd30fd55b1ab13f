// The time line, the events and the plots of a motion.
import { Clock, speeds, usualSpeed } from '../../../stage/clock';
import { Data, numberText } from '../../../stage/data';
import { EventTable, eventText } from '../../../stage/events';
import { merged } from '../../../stage/marks';
import { Graph } from '../../../stage/graph';
import { svgElement } from '../../../stage/stage';
import { byId } from '../page/dom';
import { Plots } from './plots';

export class Results {
  private data?: Data;
  private clock?: Clock;
  private table?: EventTable;
  private graph?: Graph;
  readonly plots: Plots;
  private speedChosen = false;
  private tickWidth = 0; // px
  onTime: (t: number, row: number, share: number) => void = () => {};

  constructor() {
    this.plots = new Plots(
      (t) => {
        this.clock?.play(false);
        this.clock?.seek(t);
      },
      () => this.clock?.seek(this.clock.time),
    );
    const select = byId<HTMLSelectElement>('speed');
    for (const s of speeds) select.add(new Option(s < 1 ? `1/${Math.round(1 / s)}` : s === 1 ? 'real time' : `${s} ×`, String(s)));
    select.value = '1';
    select.addEventListener('change', () => {
      this.speedChosen = true;
      if (this.clock) this.clock.speed = Number(select.value);
    });
    const scrub = byId<HTMLInputElement>('scrub');
    scrub.addEventListener('input', () => {
      this.clock?.play(false);
      this.clock?.seek(Number(scrub.value));
    });
    byId('previous').addEventListener('click', () => this.clock?.stepEvent(-1));
    byId('next').addEventListener('click', () => this.clock?.stepEvent(1));
    new ResizeObserver(([entry]) => {
      this.tickWidth = entry.contentRect.width;
      this.drawTicks();
    }).observe(byId('ticks'));
  }

  get hasMotion(): boolean {
    return this.data !== undefined && this.data.end > this.data.start && this.data.about.bodies.length > 0;
  }
  get motion(): Data | undefined {
    return this.data;
  }
  get time(): number {
    return this.clock?.time ?? 0;
  }

  // A motion to show; `at` a time to stand at, and the end of what is still being computed.
  show(data: Data, at?: number): void {
    const playing = this.clock?.playing ?? false;
    this.data = data;
    if (!this.clock) this.clock = new Clock(data, (t, row, share) => this.moved(t, row, share), (on) => this.showPlaying(on));
    this.clock.setData(data);
    const scrub = byId<HTMLInputElement>('scrub');
    scrub.min = String(data.start);
    scrub.max = String(data.end > data.start ? data.end : data.start + 1);
    scrub.disabled = !this.hasMotion;
    for (const id of ['previous', 'next']) byId<HTMLButtonElement>(id).disabled = !this.hasMotion;
    if (!this.speedChosen && this.hasMotion) this.setSpeed(usualSpeed(data.end - data.start));
    this.showEvents();
    this.plots.setData(data);
    if (this.graph) this.graph.setData(data);
    else byId('graph-panel').prepend((this.graph = new Graph(data)).element);
    this.drawTicks();
    if (!playing || at !== undefined) this.clock.seek(at ?? this.clock.time);
  }
  clear(): void {
    this.clock?.play(false);
    this.plots.clear();
    this.speedChosen = false;
    if (this.clock) this.clock.time = 0;
  }
  play(on = !this.clock?.playing): void {
    if (this.hasMotion) this.clock?.play(on);
  }
  step(kind: 'row' | 'event', direction: number): void {
    if (kind === 'row') this.clock?.stepRow(direction);
    else this.clock?.stepEvent(direction);
  }
  seek(t: number): void {
    this.clock?.seek(t);
  }

  private setSpeed(speed: number): void {
    byId<HTMLSelectElement>('speed').value = String(speed);
    if (this.clock) this.clock.speed = speed;
  }
  private showPlaying(on: boolean): void {
    byId('play').classList.toggle('playing', on);
    byId('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
  }
  private moved(t: number, row: number, share: number): void {
    this.onTime(t, row, share);
    this.plots.show(t, row, share);
    this.graph?.show(row);
    byId<HTMLInputElement>('scrub').value = String(t);
    const text = `t = ${numberText(t, 5)} s`;
    byId('clock').textContent = text;
    byId('scrub').setAttribute('aria-valuetext', text);
    const last = this.clock!.passed() - 1,
      e = this.data!.about.events[last];
    this.table?.mark(last);
    const now = e ? `${numberText(e.t, 6)} s: ${eventText(e)}${e.detail ? '; ' + e.detail : ''}` : '';
    if (byId('now').textContent !== now) byId('now').title = byId('now').textContent = now;
  }
  private showEvents(): void {
    const { events } = this.data!.about,
      list = byId('event-list');
    byId('tab-events').textContent = events.length > 0 ? `Events (${events.length})` : 'Events';
    this.table = undefined;
    if (events.length === 0) list.replaceChildren(this.hasMotion ? 'Nothing happened.' : 'Run the model to see its events.');
    else
      this.table = new EventTable(list, events, (i) => {
        this.clock?.play(false);
        this.clock?.seek(events[i].t);
      });
  }
  private drawTicks(): void {
    const ticks = document.querySelector<SVGSVGElement>('#ticks')!,
      width = this.tickWidth;
    if (width === 0 || !this.data) return;
    const { start, end } = this.data;
    ticks.setAttribute('viewBox', `0 0 ${width} 10`);
    const places = merged(this.data.about.events.map((e) => (width * (e.t - start)) / (end - start || 1)));
    ticks.replaceChildren(svgElement('path', { d: places.map((x) => `M${x.toFixed(1)} 0V10`).join('') }));
  }
}
