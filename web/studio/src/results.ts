// The time line, the events and the plots of a motion.
import { Clock, speeds, usualSpeed } from '../../stage/clock';
import { Data, numberText } from '../../stage/data';
import { EventTable, eventText } from '../../stage/events';
import { merged } from '../../stage/marks';
import { Plot, Stretch } from '../../stage/plot';
import { svgElement } from '../../stage/stage';
import { byId } from './dom';

const mostLines = 14; // of a plot: more cannot be told apart, and take long to paint

export class Results {
  private data?: Data;
  private clock?: Clock;
  private table?: EventTable;
  private plots = new Map<string, Plot>(); // by the names of their columns
  private chosen?: Set<string>; // plots that the user has added or removed, once he did
  private readonly stretch: Stretch = { from: 0, to: 1 };
  private speedChosen = false;
  onTime: (row: number, share: number) => void = () => {};

  constructor() {
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
    byId<HTMLSelectElement>('add-plot').addEventListener('change', (e) => {
      const choice = e.target as HTMLSelectElement;
      if (choice.value !== '') this.choose(this.keyOf(Number(choice.value)), true);
      choice.value = '';
    });
    new ResizeObserver(() => this.drawTicks()).observe(byId('ticks'));
  }

  get hasMotion(): boolean {
    return this.data !== undefined && this.data.end > this.data.start;
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
    this.stretch.from = data.start;
    this.stretch.to = data.end;
    const scrub = byId<HTMLInputElement>('scrub');
    scrub.min = String(data.start);
    scrub.max = String(data.end > data.start ? data.end : data.start + 1);
    scrub.disabled = !this.hasMotion;
    for (const id of ['previous', 'next']) byId<HTMLButtonElement>(id).disabled = !this.hasMotion;
    if (!this.speedChosen && this.hasMotion) this.setSpeed(usualSpeed(data.end - data.start));
    this.showEvents();
    this.showPlots();
    this.drawTicks();
    if (!playing || at !== undefined) this.clock.seek(at ?? this.clock.time);
  }
  clear(): void {
    this.clock?.play(false);
    this.chosen = undefined;
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
    this.onTime(row, share);
    for (const plot of this.plots.values()) plot.show(t, row, share);
    byId<HTMLInputElement>('scrub').value = String(t);
    const text = `t = ${numberText(t, 5)} s`;
    byId('clock').textContent = text;
    byId('scrub').setAttribute('aria-valuetext', text);
    const last = this.clock!.passed() - 1,
      e = this.data!.about.events[last];
    this.table?.mark(last);
    const now = e ? `${numberText(e.t, 6)} s: ${eventText(e)}${e.detail ? '. ' + e.detail : ''}` : '';
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
  private keyOf(index: number): string {
    const plot = this.data!.about.plots[index];
    return `${plot.title} [${plot.unit}]`;
  }
  private choose(key: string, on: boolean): void {
    this.chosen ??= new Set(this.plots.keys());
    if (on) this.chosen.add(key);
    else this.chosen.delete(key);
    this.showPlots();
    this.clock?.seek(this.clock.time);
  }
  private showPlots(): void {
    const { about } = this.data!,
      select = byId<HTMLSelectElement>('add-plot');
    select.replaceChildren(new Option('choose …', ''));
    this.plots.clear();
    const list: HTMLElement[] = [];
    if (this.hasMotion)
      about.plots.forEach((p, i) => {
        const key = this.keyOf(i);
        select.add(new Option(key, String(i)));
        if (!(this.chosen ? this.chosen.has(key) : p.shown && this.plots.size < 4)) return;
        const plot = this.plot(i, key);
        this.plots.set(key, plot);
        list.push(plot.element);
      });
    (select.parentElement as HTMLElement).hidden = !this.hasMotion;
    byId('plot-list').replaceChildren(...list);
  }
  private plot(index: number, key: string): Plot {
    const data = this.data!,
      { title, unit, columns } = data.about.plots[index];
    return new Plot(
      data,
      this.stretch,
      {
        title: columns.length > mostLines ? `${title} (${mostLines} of ${columns.length})` : title,
        unit,
        height: 150,
        lines: columns.slice(0, mostLines).map((c) => ({ name: data.about.columns[c].name, series: data.series(c), digits: data.digits(c), value: (row, share) => data.at(c, row, share) })),
        remove: () => this.choose(key, false),
      },
      (t) => {
        this.clock?.play(false);
        this.clock?.seek(t);
      },
    );
  }
  private drawTicks(): void {
    const ticks = document.querySelector<SVGSVGElement>('#ticks')!,
      { width } = ticks.getBoundingClientRect();
    if (width === 0 || !this.data) return;
    const { start, end } = this.data;
    ticks.setAttribute('viewBox', `0 0 ${width} 10`);
    const places = merged(this.data.about.events.map((e) => (width * (e.t - start)) / (end - start || 1)));
    ticks.replaceChildren(svgElement('path', { d: places.map((x) => `M${x.toFixed(1)} 0V10`).join('') }));
  }
}
